import { hash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import limiter from '@adonisjs/limiter/services/main'
import type { Limiter } from '@adonisjs/limiter'

/** Limits per account. Repeated wrong guesses wait longer each time. */
const ACCOUNT_LIMITS = [
  { requests: 5, duration: '1 minute' },
  { requests: 10, duration: '15 minutes' },
  { requests: 20, duration: '2 hours' },
  { requests: 50, duration: '1 day' },
] as const

/** Limits per network address, which a whole office may share. */
const ADDRESS_LIMITS = [
  { requests: 20, duration: '1 minute' },
  { requests: 60, duration: '15 minutes' },
  { requests: 200, duration: '1 day' },
] as const

interface Counter {
  limiter: Limiter
  key: string
}

/** Limits per network address for requests without a session. */
const ANONYMOUS_LIMITS = [
  { requests: 20, duration: '1 minute' },
  { requests: 200, duration: '1 day' },
] as const

/** Counts a device login. @returns the seconds to wait; 0 if it may begin */
export function limitDeviceLogins(address: string): Promise<number> {
  return consume(countersOf(ANONYMOUS_LIMITS, `device:${networkOf(address)}`))
}

/** Counts a form to keep. @returns the seconds to wait; 0 if it may be kept */
export function limitKeptForms(address: string): Promise<number> {
  return consume(countersOf(ANONYMOUS_LIMITS, `form:${networkOf(address)}`))
}

const countersOf = (
  spans: typeof ACCOUNT_LIMITS | typeof ADDRESS_LIMITS | typeof ANONYMOUS_LIMITS,
  key: string
): Counter[] =>
  spans.map((each, span) => ({ limiter: limiter.use({ ...each }), key: `${key}:${span}` }))

/** Limits the attempts for an e-mail address, known or not, and from a network address. */
export class AttemptLimits {
  readonly #ofAccount: readonly Counter[]
  readonly #ofAddress: readonly Counter[]

  /**
   * @param email in lower case
   * @param secret the kind of secret that an attacker would guess: a password or a device code
   */
  constructor(email: string, address: string, secret: 'sign-in' | 'device-code' = 'sign-in') {
    // The hash bounds the length of the key and keeps the address out of the counters.
    this.#ofAccount = countersOf(
      ACCOUNT_LIMITS,
      `${secret}:account:${hash('sha256', email, 'hex')}`
    )
    this.#ofAddress = countersOf(ADDRESS_LIMITS, `${secret}:address:${networkOf(address)}`)
  }

  /**
   * Counts an attempt before it is made, so that concurrent attempts all count. An attempt that the
   * limits of the network address refuse does not count against the account.
   * @returns the seconds to wait; 0 if the attempt may be made
   */
  async wait(): Promise<number> {
    return (await consume(this.#ofAddress)) || consume(this.#ofAccount)
  }

  /** Takes back a successful attempt: resets the account, and uncounts it for the address. */
  async reset(): Promise<void> {
    await Promise.all([
      ...this.#ofAccount.map(({ limiter: each, key }) => each.delete(key)),
      ...this.#ofAddress.map(({ limiter: each, key }) => each.decrement(key)),
    ])
  }
}

/** Returns the network of an address: for IPv6 its /64, because each client has a whole one. */
function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}

/** Counts an attempt in each window, the shortest first, until one of them refuses it. */
async function consume(counters: readonly Counter[]): Promise<number> {
  for (const { limiter: each, key } of counters) {
    const { consumed, limit, availableIn } = await each.increment(key)
    if (consumed > limit) return Math.max(1, availableIn)
  }
  return 0
}
