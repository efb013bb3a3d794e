import { hash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import limiter from '@adonisjs/limiter/services/main'
import type { Limiter } from '@adonisjs/limiter'

/** The attempts per account: those who guess wait longer each time. */
const ACCOUNT_LIMITS = [
  { requests: 5, duration: '1 minute' },
  { requests: 10, duration: '15 minutes' },
  { requests: 20, duration: '2 hours' },
  { requests: 50, duration: '1 day' },
] as const

/** The attempts per network address, which a whole office may share. */
const ADDRESS_LIMITS = [
  { requests: 20, duration: '1 minute' },
  { requests: 60, duration: '15 minutes' },
  { requests: 200, duration: '1 day' },
] as const

interface Count {
  limiter: Limiter
  key: string
}

/** The requests without a session per network address. */
const UNKNOWN_LIMITS = [
  { requests: 20, duration: '1 minute' },
  { requests: 200, duration: '1 day' },
] as const

/** Counts a program that asks to be signed in. Returns seconds to wait; 0 if it may go on. */
export function waitOfProgram(address: string): Promise<number> {
  return waitOf(countsOf(UNKNOWN_LIMITS, `device:${networkOf(address)}`))
}

/** Counts a form that is kept for an address. Returns seconds to wait; 0 if it may be kept. */
export function waitOfForm(address: string): Promise<number> {
  return waitOf(countsOf(UNKNOWN_LIMITS, `form:${networkOf(address)}`))
}

const countsOf = (
  spans: typeof ACCOUNT_LIMITS | typeof ADDRESS_LIMITS | typeof UNKNOWN_LIMITS,
  key: string
): Count[] =>
  spans.map((each, span) => ({ limiter: limiter.use({ ...each }), key: `${key}:${span}` }))

/** Counts the attempts for an e-mail address, known or not, and from a network address. */
export class Guesses {
  readonly #ofAccount: readonly Count[]
  readonly #ofAddress: readonly Count[]

  /**
   * @param email in lower case
   * @param secret what is guessed: a password, or the code of a program
   */
  constructor(email: string, address: string, secret: 'sign-in' | 'device-code' = 'sign-in') {
    // An e-mail address may have any length, and counters must not reveal it.
    this.#ofAccount = countsOf(ACCOUNT_LIMITS, `${secret}:account:${hash('sha256', email, 'hex')}`)
    this.#ofAddress = countsOf(ADDRESS_LIMITS, `${secret}:address:${networkOf(address)}`)
  }

  /**
   * Counts an attempt before it is made, so that concurrent attempts all count. An attempt that is
   * refused to a network address does not count against the account.
   * @returns seconds to wait; 0 if the attempt may be made
   */
  async wait(): Promise<number> {
    return (await waitOf(this.#ofAddress)) || waitOf(this.#ofAccount)
  }

  /** Undoes the count of a right guess: resets the account, and gives the address this one back. */
  async forget(): Promise<void> {
    await Promise.all([
      ...this.#ofAccount.map(({ limiter: each, key }) => each.delete(key)),
      ...this.#ofAddress.map(({ limiter: each, key }) => each.decrement(key)),
    ])
  }
}

/** Returns the network to count by: for IPv6 the /64, as clients have a whole one each. */
function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}

/** Counts in one span after the other. An attempt that a short span refuses spares the longer ones. */
async function waitOf(counts: readonly Count[]): Promise<number> {
  for (const { limiter: each, key } of counts) {
    const { consumed, limit, availableIn } = await each.increment(key)
    if (consumed > limit) return Math.max(1, availableIn)
  }
  return 0
}
