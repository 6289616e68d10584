-- Make somebody the owner of a table, unless another's lease runs. Time is the server's own.
-- KEYS  the table's owner          ARGV  who, lease in ms, the least fence to give, for how many ms to keep the owner of no log
-- Gives the fence; or nothing granted, who holds it, and for how many ms yet.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local own = redis.call('HMGET', KEYS[1], 'node', 'until', 'fence', 'seq')
local left = (tonumber(own[2] or '0')) - now
if own[1] and own[1] ~= ARGV[1] and left > 0 then
    return {0, own[1], string.format('%.0f', left)}
end
local fence = math.max(tonumber(ARGV[3]), tonumber(own[3] or '0') + 1)
redis.call('HSET', KEYS[1], 'node', ARGV[1], 'until', string.format('%.0f', now + tonumber(ARGV[2])),
    'fence', string.format('%.0f', fence))
if not own[4] then
    -- Whoever dies before the first append leaves nothing else of the table, by which anybody could find this.
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
return {1, string.format('%.0f', fence)}
