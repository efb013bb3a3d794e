import type { Database } from '@adonisjs/lucid/database'
import { from, into } from '../../core/database/from.js'
import { transact } from '../../core/database/transact.js'
import type { RedisService } from '@adonisjs/redis/types'

/** What is left of a sliding second. */
export interface BurstState {
  allowed: boolean
  remaining: number
  /** Milliseconds until one more request is accepted, 0 when one is now. */
  waitMs: number
}

/**
 * Counts accepted requests over any span of one second, so that no edge between two
 * windows lets more through. Refused requests do not count.
 */
export interface BurstWindow {
  take(key: string, limit: number, nowMs: number): Promise<BurstState>
}

const WINDOW_MS = 1000
const SWEEP_MS = 60_000

/**
 * Decides over the times accepted within the last second, oldest first; appends to them. Clocks
 * of processes differ by less than a second: a time further ahead is from before somebody set
 * the clock back, and counts no more.
 */
function slide(accepted: number[], limit: number, nowMs: number): BurstState {
  let over = 0
  while (over < accepted.length && nowMs - accepted[over] >= WINDOW_MS) over += 1
  if (over > 0) accepted.splice(0, over)
  while (accepted.length > 0 && accepted[accepted.length - 1] - nowMs >= WINDOW_MS) accepted.pop()
  if (accepted.length >= limit) {
    const freeing = accepted[accepted.length - limit]
    return { allowed: false, remaining: 0, waitMs: Math.max(1, freeing + WINDOW_MS - nowMs) }
  }
  accepted.push(nowMs)
  const remaining = limit - accepted.length
  return { allowed: true, remaining, waitMs: remaining > 0 ? 0 : accepted[0] + WINDOW_MS - nowMs }
}

/** For one process. */
export class MemoryBurstWindow implements BurstWindow {
  #windows = new Map<string, number[]>()
  #sweepAtMs = 0

  async take(key: string, limit: number, nowMs: number): Promise<BurstState> {
    this.#sweep(nowMs)
    let accepted = this.#windows.get(key)
    if (!accepted) this.#windows.set(key, (accepted = []))
    return slide(accepted, limit, nowMs)
  }

  /** Forgets, once a minute, organizations that have not asked for a second. */
  #sweep(nowMs: number) {
    if (nowMs < this.#sweepAtMs && nowMs >= this.#sweepAtMs - SWEEP_MS) return
    this.#sweepAtMs = nowMs + SWEEP_MS
    for (const [key, accepted] of this.#windows) {
      if (Math.abs((accepted.at(-1) ?? 0) - nowMs) >= WINDOW_MS) this.#windows.delete(key)
    }
  }
}

/** For processes that share a database: one row per key, locked while it is judged. */
export class DatabaseBurstWindow implements BurstWindow {
  constructor(private readonly database: Database) {}

  take(key: string, limit: number, nowMs: number): Promise<BurstState> {
    return transact(this.database, async (client) => {
      // Writing locks the row, also one that was there, so that nobody else prunes it now.
      await into(client.knexQuery(), 'burst_windows')
        .insert({ key, accepted: '[]', expire: nowMs + WINDOW_MS })
        .onConflict('key')
        .merge(['expire'])
      const query = from(client, 'burst_windows').where('key', key).select('accepted')
      const accepted = JSON.parse((await query.firstOrFail()).accepted) as number[]
      const state = slide(accepted, limit, nowMs)
      await from(client, 'burst_windows')
        .where('key', key)
        .update({ accepted: JSON.stringify(accepted) })
      return state
    })
  }
}

const SCRIPT = `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2] - 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], ARGV[2] + 1000, '+inf')
local count = redis.call('ZCARD', KEYS[1])
local limit = tonumber(ARGV[1])
if count >= limit then
  local freeing = redis.call('ZRANGE', KEYS[1], count - limit, count - limit, 'WITHSCORES')
  return {0, 0, tostring(freeing[2] + 1000 - ARGV[2])}
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[2] .. ':' .. redis.call('INCR', KEYS[2]))
redis.call('PEXPIRE', KEYS[1], 1500)
redis.call('PEXPIRE', KEYS[2], 1500)
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {1, limit - count - 1, tostring(oldest[2] + 1000 - ARGV[2])}
`

/** For processes that share a Redis: one script, so that judging and counting are one step. */
export class RedisBurstWindow implements BurstWindow {
  constructor(private readonly redis: RedisService) {}

  async take(key: string, limit: number, nowMs: number): Promise<BurstState> {
    const name = `tarmac:burst:{${key}}`
    const [allowed, remaining, waitMs] = (await this.redis
      .connection()
      .eval(SCRIPT, 2, name, `${name}:n`, limit, nowMs)) as [number, number, string]
    return {
      allowed: allowed === 1,
      remaining,
      waitMs: remaining > 0 ? 0 : Math.max(1, Number(waitMs)),
    }
  }
}
