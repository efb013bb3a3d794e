import { args, flags } from '@adonisjs/core/ace'
import { from } from '#foundation/core/database/from'
import { UsageError } from '#foundation/console/usage_error'
import type { Principal } from '#foundation/core/principal'
import { userOptions } from '#organizations/commands/options'
import { TenantCommand } from '#organizations/commands/tenant_command'
import { CreateSignInLink } from '../actions/create_sign_in_link.js'

export class UserLink extends TenantCommand {
  static override commandName = 'user:link'
  static override description = 'Create a link that signs a person in once; it is shown only once'
  static override help =
    'It works once within 24 hours, and sets a new password. `--org` is for people who are in several organizations.'

  @args.string({ description: 'E-mail address of the person' })
  declare email: string

  @flags.string({ description: 'Id or name of the organization, where the person is in several' })
  declare org: string | undefined

  @flags.boolean({ description: 'Makes the person an admin of the organization' })
  declare admin: boolean

  protected async work() {
    const { email } = await this.checked(userOptions, { email: this.email })
    const { principal, userId } = await this.#personOf(email)
    const { path, expiresAt } = await this.inTransaction(principal, (scope) =>
      new CreateSignInLink(scope).handle({ userId, admin: this.admin, resets: true })
    )
    const url = this.app.config.get<string>('app.serviceUrl') + path
    return {
      document: { email, organizationId: principal.organization.id, url, expiresAt },
      text: `This signs ${email} in once, for 24 hours, and is shown this once:\n\n  ${url}\n`,
    }
  }

  /** Finds the person of an address. @throws UsageError if there is none, or several */
  async #personOf(email: string): Promise<{ principal: Principal; userId: string }> {
    const named = this.org === undefined ? null : await this.principalOf(this.org)
    const query = from(this.database, 'users').where('email', email).orderBy('organization_id')
    if (named) query.where('organization_id', named.organization.id)
    const found: { id: string; organization_id: string }[] = await query.select(
      'id',
      'organization_id'
    )
    const [person, another] = found
    if (!person) {
      const place = named ? ` in ${named.organization.name}` : ''
      throw new UsageError(`There is no user with the address ${email}${place}.`)
    }
    if (another) {
      const ids = found.map((each) => each.organization_id).join(', ')
      throw new UsageError(`${email} is in several organizations; give one with --org: ${ids}.`)
    }
    return { principal: await this.principalOf(person.organization_id), userId: person.id }
  }
}
