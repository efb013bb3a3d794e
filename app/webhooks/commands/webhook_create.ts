import { flags } from '@adonisjs/core/ace'
import { closest } from 'fastest-levenshtein'
import { OrganizationCommand } from '#foundation/console/console_command'
import { Mistake } from '#foundation/console/mistake'
import { CreateEndpoint } from '../actions/create_endpoint.js'
import { eventNames } from '../event_names.js'
import { EVERY_EVENT } from '../subscription.js'
import { createEndpoint } from '../validators.js'

export class WebhookCreate extends OrganizationCommand {
  static override commandName = 'webhook:create'
  static override description = 'Make a webhook endpoint; its secret is shown once'

  @flags.string({ description: 'Where events are sent', required: true })
  declare url: string

  @flags.array({ description: 'Event names, with commas or repeated; all of them by default' })
  declare events: string[] | undefined

  @flags.string({ description: 'What the endpoint is for' })
  declare about: string | undefined

  protected async work() {
    const events = this.#events()
    const input = await this.checked(createEndpoint, {
      url: this.url,
      events,
      description: this.about,
    })
    const { container } = this.app
    const { guard } = await container.make('outbound')
    const secrets = await container.make('webhooks.secrets')
    const { row, secret } = await this.writing(await this.ofOrganization(), (scope) =>
      new CreateEndpoint(scope, guard, secrets).handle(input)
    )
    return {
      document: { id: row.id, url: row.url, secret },
      text: `Webhook endpoint ${row.id}, its secret shown this once:\n\n  ${secret}\n`,
    }
  }

  /** @throws Mistake that names the event there is not, and the nearest there is */
  #events(): string[] | undefined {
    const known: readonly string[] = [EVERY_EVENT, ...eventNames()]
    const events = this.events?.flatMap((each) => each.split(',')).map((each) => each.trim())
    const unknown = events?.find((each) => !known.includes(each))
    if (unknown === undefined) return events
    throw new Mistake(`There is no event "${unknown}". Did you mean ${closest(unknown, known)}?`)
  }
}
