import { as, of, select } from '#foundation/core/database/statement'
import { flag, text } from '#foundation/core/database/table'
import type { Principal } from '#foundation/core/principal'
import { changes, selects } from '#foundation/core/services'
import { personName } from '#organizations/queries/people'
import { GROUPS_OF_PERSON, personPermissions } from '#organizations/person_permissions'
import { users } from '#organizations/tables'

const PERSON = select(
  {
    ...of(users, 'u', ['id', 'email', 'name', 'admin']),
    organizationName: as(text(), 'o.name'),
    requireIfMatch: as(flag(), 'o.require_if_match'),
    isByRole: as(flag(), 'o.role_based_access_enabled'),
  },
  `from users u join organizations o on o.id = u.organization_id
     where u.account_id = :account and u.organization_id = :organization
     and u.deactivated_at is null`
)

/** The most people that are cached. */
const MAX_KNOWN = 10_000

/**
 * A cache of people of organizations by the accounts that sign in as them. A person is read again
 * once the organization's number of changes differs, so rights end at once in every process.
 */
export class PeopleOfAccounts {
  /** The person asked for last is at the end. */
  readonly #known = new Map<string, Principal>()

  /** @returns null for an account that does not belong to the organization */
  async principalOf(organization: string, account: string): Promise<Principal | null> {
    // No id contains this character, and PostgreSQL refuses it in text.
    if (organization.includes('\0')) return null
    const key = `${organization} ${account}`
    const known = this.#known.get(key)
    this.#known.delete(key)
    const number = await changes.of(organization)
    const principal =
      known?.organization.changes === number
        ? known
        : await this.#read({ organization, account }, number)
    if (!principal) return null
    this.#known.set(key, principal)
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value!)
    return principal
  }

  /**
   * Reads a person in several reads. Something may change between them, so the result belongs to the
   * number of changes from before the first one.
   */
  async #read(by: Record<string, string>, number: string): Promise<Principal | null> {
    const [row] = await selects.rows(PERSON, by)
    if (!row) return null
    const held = await selects.rows(GROUPS_OF_PERSON, { org: by.organization, user: row.id })
    const { id, organizationName: name, requireIfMatch } = row
    return {
      organization: { id: by.organization, name, requireIfMatch, changes: number },
      actor: { type: 'user', id, name: personName(row) },
      permissions: personPermissions(row, held),
    }
  }
}
