import { flags } from '@adonisjs/core/ace'
import { OrganizationCommand } from '#organizations/commands/organization_command'
import { didYouMean } from '#foundation/core/did_you_mean'
import { UsageError } from '#foundation/console/usage_error'
import { eventNames } from '../event_names.js'
import { EVERY_EVENT } from '../subscription.js'

export class WebhookCreate extends OrganizationCommand {
  static override commandName = 'webhook:create'
  static override description = 'Create a webhook endpoint; its secret is shown once'

  @flags.string({ description: 'Where events are sent', required: true })
  declare url: string

  @flags.array({ description: 'Event names, with commas or repeated; all of them by default' })
  declare events: string[] | undefined

  @flags.string({ description: 'What the endpoint is for' })
  declare about: string | undefined

  protected async work() {
    const created = await this.execute(
      'createWebhookEndpoint',
      await this.organizationPrincipal(),
      {
        body: { url: this.url, events: this.#events(), description: this.about },
      }
    )
    const { id, url, secret } = created as { id: string; url: string; secret: string }
    return {
      document: { id, url, secret },
      text: `Webhook endpoint ${id}, its secret shown this once:\n\n  ${secret}\n`,
    }
  }

  /** @throws UsageError that names an unknown event and the most similar known one */
  #events(): string[] | undefined {
    const known: readonly string[] = [EVERY_EVENT, ...eventNames()]
    const events = this.events?.flatMap((each) => each.split(',')).map((each) => each.trim())
    const unknown = events?.find((each) => !known.includes(each))
    if (unknown === undefined) return events
    const meant = didYouMean(unknown, known)
    const hint = meant ? `Did you mean ${meant}?` : `There are ${known.join(', ')}.`
    throw new UsageError(`There is no event "${unknown}". ${hint}`)
  }
}
