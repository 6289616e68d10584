-- Delete the entries of a log below one, if the caller owns the table.
-- KEYS  the table's owner, its log          ARGV  the first entry to stay, fence
local own = redis.call('HMGET', KEYS[1], 'fence', 'seq', 'trimmed')
local first = tonumber(ARGV[1])
if ARGV[2] ~= (own[1] or '0') or first > tonumber(own[2] or '0') then
    return 0
end
if first - 1 > tonumber(own[3] or '0') then
    redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f', first))
    redis.call('HSET', KEYS[1], 'trimmed', string.format('%.0f', first - 1))
end
return 1
