-- Entries of a log, such that a WAIT after this on the same connection vouches for all of them.
-- KEYS  the table's owner, its log          ARGV  first id, how many at most
local entries = redis.call('XRANGE', KEYS[2], ARGV[1], '+', 'COUNT', ARGV[2])
local seq = redis.call('HGET', KEYS[1], 'seq')
if seq then
    redis.call('HSET', KEYS[1], 'seq', seq) -- so that there is a write to wait for
end
return entries
