-- Append records to a table's log, or none of them.
-- KEYS  the table's owner, its log          ARGV  expected seq, fence, record ...
-- Gives the outcome and the number of the log's last entry.
local own = redis.call('HMGET', KEYS[1], 'fence', 'seq')
local fence, seq = own[1] or '0', own[2] or '0'
local expected, head, count = tonumber(ARGV[1]), tonumber(seq), #ARGV - 2
if ARGV[2] ~= fence then
    return {'FENCED', seq}
end
if head < expected then
    return {'GAP', seq}
end
if head == expected then
    for index = 1, count do
        redis.call('XADD', KEYS[2], string.format('%.0f-%s', head + index, fence), 'r', ARGV[index + 2])
    end
    seq = string.format('%.0f', head + count)
    redis.call('HSET', KEYS[1], 'seq', seq)
    redis.call('PERSIST', KEYS[1])
    return {'OK', seq}
end
local there = redis.call('XRANGE', KEYS[2], string.format('%.0f', expected + 1), '+', 'COUNT', count)
if #there < count then
    return {'CONFLICT', seq}
end
for index = 1, count do
    if there[index][2][2] ~= ARGV[index + 2] then
        return {'CONFLICT', seq}
    end
end
-- A write that changes nothing: the WAIT that follows on this connection waits for the last write made on it, and must not be
-- content because this connection made none.
redis.call('HSET', KEYS[1], 'seq', seq)
return {'DUP', seq}
