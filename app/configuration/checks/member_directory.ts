import type { BucketMember } from '#distribution/settings'
import type { KnownUser } from './context.js'
import { quote, type Location, type ProblemList } from './problems.js'

type FoundMember = Pick<BucketMember, 'type' | 'name'>

/** Finds the members of buckets: groups by name, users by e-mail address or name. */
export class MemberDirectory {
  readonly #groups: Map<string, string>
  readonly #emails: Set<string>
  readonly #usersByName: Map<string, string[]> = new Map()

  /** @param invited addresses that the same file makes users of the app */
  constructor(groups: readonly string[], users: readonly KnownUser[], invited: readonly string[]) {
    this.#groups = new Map(groups.map((name) => [name.toLowerCase(), name]))
    this.#emails = new Set([...users.map((user) => user.email.toLowerCase()), ...invited])
    for (const { email, name } of users) {
      if (name === null) continue
      const key = name.toLowerCase()
      const emails = this.#usersByName.get(key)
      if (emails) emails.push(email.toLowerCase())
      else this.#usersByName.set(key, [email.toLowerCase()])
    }
  }

  /** Finds the member that a key of `members` names. Reports a problem if there is none. */
  find(problems: ProblemList, at: Location, key: string): FoundMember | undefined {
    const folded = key.toLowerCase()
    const group = this.#groups.get(folded)
    if (group !== undefined) return { type: 'group', name: group }
    if (this.#emails.has(folded)) return { type: 'user', name: folded }
    const named = this.#usersByName.get(folded) ?? []
    if (named.length === 1) return { type: 'user', name: named[0] }
    if (named.length > 1) {
      const message = `${named.length} users are called ${quote(key)}; name one by e-mail address`
      problems.add(at, 'member_ambiguous', message)
      return undefined
    }
    const message =
      `${quote(key)} is neither a group nor a user of the organization; ` +
      'an address listed in appUsers can be a member too'
    problems.addUnknown(at, 'member_unknown', message, key, this.#names())
    return undefined
  }

  *#names(): Iterable<string> {
    yield* this.#groups.values()
    for (const [name, emails] of this.#usersByName) if (emails.length === 1) yield name
    yield* this.#emails
  }
}
