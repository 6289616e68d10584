-- Entries of a log, such that a WAIT after this on the same connection vouches for all of them.
-- KEYS  the table's owner, its log          ARGV  first id, how many at most
-- Gives how many entries are trimmed from the front, and the entries.
local entries = redis.call('XRANGE', KEYS[2], ARGV[1], '+', 'COUNT', ARGV[2])
local own = redis.call('HMGET', KEYS[1], 'seq', 'trimmed')
if own[1] then
    redis.call('HSET', KEYS[1], 'seq', own[1]) -- so that there is a write to wait for
end
return {own[2] or '0', entries}
