import { hash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import limiter from '@adonisjs/limiter/services/main'
import type { Limiter } from '@adonisjs/limiter'

/** Attempts that an account has in spans of time: whoever guesses waits longer each time. */
const OF_ACCOUNT = [
  { requests: 5, duration: '1 minute' },
  { requests: 10, duration: '15 minutes' },
  { requests: 20, duration: '2 hours' },
  { requests: 50, duration: '1 day' },
] as const

/** An address may be that of a whole office. */
const OF_ADDRESS = [
  { requests: 20, duration: '1 minute' },
  { requests: 60, duration: '15 minutes' },
  { requests: 200, duration: '1 day' },
] as const

interface Count {
  limiter: Limiter
  key: string
}

/** The requests that an address may make without a session. */
const OF_NOBODY = [
  { requests: 20, duration: '1 minute' },
  { requests: 200, duration: '1 day' },
] as const

/** Counts a program that an address asks to sign in. Returns seconds to wait; 0 if it may. */
export function waitOfProgram(address: string): Promise<number> {
  return waitOf(countsOf(OF_NOBODY, `device:${networkOf(address)}`))
}

/** Counts a form that an address has kept. Returns seconds to wait; 0 if it may. */
export function waitOfForm(address: string): Promise<number> {
  return waitOf(countsOf(OF_NOBODY, `form:${networkOf(address)}`))
}

const countsOf = (
  spans: typeof OF_ACCOUNT | typeof OF_ADDRESS | typeof OF_NOBODY,
  key: string
): Count[] =>
  spans.map((each, span) => ({ limiter: limiter.use({ ...each }), key: `${key}:${span}` }))

/** The attempts of an account, known or not, and of the address that they came from. */
export class Guesses {
  readonly #ofAccount: readonly Count[]
  readonly #ofAddress: readonly Count[]

  /**
   * @param email in lower case
   * @param what is guessed: a password, or the code of a program
   */
  constructor(email: string, address: string, what: 'sign-in' | 'device-code' = 'sign-in') {
    // An e-mail address may have any length, and counters must not reveal it.
    this.#ofAccount = countsOf(OF_ACCOUNT, `${what}:account:${hash('sha256', email, 'hex')}`)
    this.#ofAddress = countsOf(OF_ADDRESS, `${what}:address:${networkOf(address)}`)
  }

  /**
   * Counts an attempt before it is made: any number of them at the same time are as many. What an
   * address may not try keeps no account from others.
   * @returns seconds to wait; 0 where the attempt may be made
   */
  async wait(): Promise<number> {
    return (await waitOf(this.#ofAddress)) || waitOf(this.#ofAccount)
  }

  /** The attempt was none: the account has all of its attempts again, the address this one. */
  async forget(): Promise<void> {
    await Promise.all([
      ...this.#ofAccount.map(({ limiter: each, key }) => each.delete(key)),
      ...this.#ofAddress.map(({ limiter: each, key }) => each.decrement(key)),
    ])
  }
}

/** The network of an address: of IPv6, whoever has one address has a whole /64 of them. */
function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}

/** Counts in one span after the other: what a short one refuses is no attempt to a long one. */
async function waitOf(counts: readonly Count[]): Promise<number> {
  for (const { limiter: each, key } of counts) {
    const { consumed, limit, availableIn } = await each.increment(key)
    if (consumed > limit) return Math.max(1, availableIn)
  }
  return 0
}
