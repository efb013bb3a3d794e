import type { HttpContext } from '@adonisjs/core/http'
import db from '@adonisjs/lucid/services/db'
import { from } from '#foundation/core/database/from'
import { of, select } from '#foundation/core/database/statement'
import type { Principal } from '#foundation/core/principal'
import { selects } from '#foundation/core/services'
import { organizations } from '#organizations/tables'
import { PeopleOfAccounts } from './people_of_accounts.js'
import type { Theme } from './tables.js'
import { foundBy } from './visits.js'

/** The account of the signed-in person. */
export interface AccountOfPage {
  id: string
  email: string
  name: string | null
  /** Name of an IANA time zone; null if the browser's is used. */
  timeZone: string | null
  theme: Theme
}

const ORGANIZATIONS = select(
  of(organizations, 'o', ['id', 'name']),
  `from users u join organizations o on o.id = u.organization_id
   where u.account_id = :account and u.deactivated_at is null order by o.name, o.id`
)

const people = new PeopleOfAccounts()

/** The account that is signed in, by the session of a request. */
export class SignedIn {
  constructor(
    readonly account: AccountOfPage,
    /** The id of the session in lists. */
    readonly signInId: string,
    private readonly lastOrganizationId: string | null
  ) {}

  /**
   * Returns the principal of the account in an organization; null if it does not belong there.
   * Reads only the change number of the organization while nothing changes there.
   */
  principalOf(organizationId: string): Promise<Principal | null> {
    return people.principalOf(organizationId, this.account.id)
  }

  /** Returns the organizations of the account by name. */
  organizations(): Promise<{ id: string; name: string }[]> {
    return selects.rows(ORGANIZATIONS, { account: this.account.id })
  }

  /** Returns the organization used last, or the first by name; null without any. */
  async lastOrganization(): Promise<string | null> {
    const all = await this.organizations()
    return (all.find(({ id }) => id === this.lastOrganizationId) ?? all[0])?.id ?? null
  }

  /** Stores the organization as the one used last. For pages that people open, not for polls. */
  async remember(organizationId: string): Promise<void> {
    if (organizationId === this.lastOrganizationId) return
    await from(db, 'accounts')
      .where('id', this.account.id)
      .update({ last_organization_id: organizationId })
  }
}

/** Returns who is signed in; null if nobody is. */
export function signedInOf(http: HttpContext): SignedIn | null {
  const found = foundBy(http)
  if (!found) return null
  const { id, accountId, email, name, timeZone, theme, lastOrganizationId } = found
  return new SignedIn({ id: accountId, email, name, timeZone, theme }, id, lastOrganizationId)
}
