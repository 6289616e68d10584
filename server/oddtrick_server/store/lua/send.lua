-- Put letters into a server's inbox; one that nobody empties is gone after a while.
-- KEYS  the inbox          ARGV  how many to keep, for how many ms, letter ...
for index = 3, #ARGV do
    redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'l', ARGV[index])
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
