-- Let a lease run anew, or end it (0 ms), if it is still the caller's.
-- KEYS  the table's owner          ARGV  fence, lease in ms
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then
    return 0
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('HSET', KEYS[1], 'until', string.format('%.0f', now + tonumber(ARGV[2])))
return 1
