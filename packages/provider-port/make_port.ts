import { setTimeout as wait } from 'node:timers/promises'
import type { HttpOptions } from './http_options.js'
import { Breakers } from './breakers.js'
import type { Budgets } from './budgets.js'
import type { Pause, PortClock } from './clock.js'
import { HttpPort } from './http_port.js'
import type { Transport } from './messages.js'
import { Slots } from './slots.js'

/** Waits with the machine's timers. */
export const pause: Pause = (milliseconds, signal) => wait(milliseconds, undefined, { signal })

export interface MakePort {
  transport: Transport
  clock: PortClock
  logger: { warn(fields: { err: unknown }, message: string): void }
  budgets: Budgets
  options: HttpOptions
  /** Replaces the machine's timers, in tests. */
  pause?: Pause
  random?: () => number
}

/** Makes the port with its budgets, breakers and slots. */
export function makePort(parts: MakePort): HttpPort {
  const { logger, options, clock } = parts
  return new HttpPort({
    ...parts,
    pause: parts.pause ?? pause,
    random: parts.random ?? Math.random,
    slots: new Slots(),
    breakers: new Breakers(options.breaker, clock),
    maxAttempts: options.maxAttempts,
    timeoutMs: options.timeoutMs,
    warn: (error) => logger.warn({ err: error }, 'The budget of a provider is not kept'),
  })
}
