import type { RedisService } from '@adonisjs/redis/types'
import {
  CountsInRounds,
  MOST_APART,
  mostOfDay,
  SLOT_MS,
  type Asked,
  type Taken,
} from './request_counts.js'

/** How long a day is kept, in milliseconds. */
const KEPT_MS = 2 * 86_400_000

/*
 * A hash per key: how many were accepted at which time of the last second, the day and how many of
 * it. The time is the server's, which all processes share, unless one is given.
 */
const SCRIPT = `
local asked, perSecond, perDay = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local today = math.floor(now / 86400000)
local slot = now
if perSecond > ${MOST_APART} then slot = math.ceil(now / ${SLOT_MS}) * ${SLOT_MS} end
local day, ofDay, used, at = 0, 0, 0, {}
local stored = redis.call('HGETALL', KEYS[1])
for index = 1, #stored, 2 do
  local name, value = stored[index], tonumber(stored[index + 1])
  if name == 'day' then day = value
  elseif name == 'ofDay' then ofDay = value
  elseif math.abs(now - tonumber(name)) >= 1000 then redis.call('HDEL', KEYS[1], name)
  else
    used = used + value
    at[name] = value
  end
end
if day ~= today then ofDay = 0 end
local granted = math.max(0, math.min(asked, perSecond - used, perDay - ofDay))
if granted > 0 then
  local name = string.format('%.0f', slot)
  at[name] = (at[name] or 0) + granted
  ofDay = ofDay + granted
  redis.call('HSET', KEYS[1], name, at[name], 'day', today, 'ofDay', ofDay)
  redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
end
local times = {}
for name, value in pairs(at) do
  times[#times + 1] = name
  times[#times + 1] = value
end
return {now, granted, today, ofDay, times}
`

type Answered = [
  now: number,
  granted: number,
  day: number,
  ofDay: number,
  times: (string | number)[],
]

/** For processes that share a Redis: one round trip judges and counts all that wait. */
export class RedisCounts extends CountsInRounds {
  readonly tellsChanges = false
  /** @param time milliseconds since the epoch, in place of the server's clock */
  constructor(
    private readonly redis: RedisService,
    private readonly time?: () => number
  ) {
    super()
  }

  protected async count(asked: readonly Asked[]): Promise<Taken[]> {
    const pipeline = this.redis.connection().ioConnection.pipeline()
    for (const { key, count, limits } of asked) {
      const now = this.time?.() ?? ''
      const name = `tarmac:requests:{${key}}`
      pipeline.eval(SCRIPT, 1, name, count, limits.perSecond, mostOfDay(limits), now)
    }
    const answers = (await pipeline.exec()) ?? []
    return answers.map(([error, answer]) => {
      if (error) throw error
      const [nowMs, granted, day, ofDay, times] = answer as Answered
      const at: Record<string, number> = {}
      for (let index = 0; index < times.length; index += 2) {
        at[times[index]] = Number(times[index + 1])
      }
      return { accepted: { at, day, ofDay }, granted, nowMs }
    })
  }
}
