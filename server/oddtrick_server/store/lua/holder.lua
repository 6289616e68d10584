-- Who holds a table, by which fence, and for how many ms yet.
-- KEYS  the table's owner
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local own = redis.call('HMGET', KEYS[1], 'node', 'fence', 'until')
if not own[1] then
    return {}
end
return {own[1], own[2], string.format('%.0f', tonumber(own[3]) - now)}
