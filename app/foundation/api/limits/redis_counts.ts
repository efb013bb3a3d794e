import { DAY } from '../../core/durations.js'
import type { RedisService } from '@adonisjs/redis/types'
import {
  CountsInRounds,
  mostOfDay,
  slotMs,
  WINDOW_MS,
  type CountedRequests,
  type Taken,
} from './request_counts.js'

/** Expiry of a key in milliseconds: a daily count must outlive its day. */
const KEPT_MS = 2 * DAY

/*
 * Implements the function `accept` in Lua, for several keys. It uses the time of the Redis server,
 * which all processes share, unless it gets one.
 */
const SCRIPT = `
local perSecond, slotMs, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local today = math.floor(now / ${DAY})
local results = {}
for position, key in ipairs(KEYS) do
  local requested, perDay = tonumber(ARGV[2 * position + 2]), tonumber(ARGV[2 * position + 3])
  local stored = redis.call('GET', key)
  local day, ofDay, times, totals = 0, 0, {}, {}
  if stored then day, ofDay, times, totals = cmsgpack.unpack(stored) end
  local count = #times
  if count > 0 and times[count] - now >= ${WINDOW_MS} + slotMs - 1 then count = 0 end
  local last, total, expired = times[count], totals[count] or 0, 0
  while expired < count and times[expired + 1] <= now - ${WINDOW_MS} do expired = expired + 1 end
  local used = total - (totals[expired] or 0)
  if day ~= today then ofDay = 0 end
  local granted = math.max(0, math.min(requested, perSecond - used, perDay - ofDay))
  if granted > 0 then
    local at = math.max(math.ceil(now / slotMs) * slotMs, last or 0)
    if at == last then count = count - 1 end
    local keptTimes, keptTotals = {}, {}
    for index = math.max(1, expired), count do
      keptTimes[#keptTimes + 1] = times[index]
      keptTotals[#keptTotals + 1] = totals[index]
    end
    total, used, ofDay = total + granted, used + granted, ofDay + granted
    keptTimes[#keptTimes + 1] = at
    keptTotals[#keptTotals + 1] = total
    times, totals = keptTimes, keptTotals
    redis.call('SET', key, cmsgpack.pack(today, ofDay, times, totals), 'PX', ${KEPT_MS})
  end
  local next = 1
  while next < #totals and totals[next] <= total - perSecond do next = next + 1 end
  results[position] = {granted, used, times[next] or 0, ofDay}
end
return {now, results}
`

const COMMAND = 'countRequests'

type ScriptResult = [
  nowMs: number,
  results: [granted: number, used: number, next: number, ofDay: number][],
]

/** Counts in Redis, for many processes. One script call counts all waiting requests. */
export class RedisCounts extends CountsInRounds {
  readonly reportsChanges = false
  readonly #connection

  /** @param time milliseconds since the epoch, in place of the server's clock */
  constructor(
    redis: RedisService,
    private readonly time?: () => number
  ) {
    super()
    // The server caches the script, so its text is sent only once.
    this.#connection = redis.connection().defineCommand(COMMAND, { lua: SCRIPT })
  }

  protected async count(requested: readonly CountedRequests[]): Promise<Taken[]> {
    // The limit per second is the same for all.
    const [{ limits }] = requested
    const [nowMs, results]: ScriptResult = await this.#connection.runCommand(
      COMMAND,
      requested.length,
      ...requested.map(({ key }) => `tarmac:counts:${key}`),
      limits.perSecond,
      slotMs(limits),
      this.time?.() ?? '',
      ...requested.flatMap((each) => [each.count, mostOfDay(each.limits)])
    )
    return results.map(([granted, used, next, ofDay]) => ({ granted, used, next, ofDay, nowMs }))
  }
}
