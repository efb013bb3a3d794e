import { resolve } from 'node:path'
import { flags } from '@adonisjs/core/ace'
import vine from '@vinejs/vine'
import { text } from '#foundation/api/operation/input'
import { ProviderCommand } from '#integrations/commands/provider_command'
import { StartWorld } from '../actions/start_world.js'

const options = vine.create({
  alias: text(80).optional(),
  seed: text(100).optional(),
  repositories: text(1000).optional(),
})

export class SimStart extends ProviderCommand {
  static override commandName = 'sim:start'
  static override description =
    'Create a simulated world for an organization, and connect what is not connected yet'
  static override help = [
    'A world that is there is connected again where it was disconnected, and what is missing is added.',
    'With `--alias Sim` files name its connections `Sim`, `Sim App Store` and `Sim Google Play`, else by their ids.',
    'Types are `sim-vcs`, `sim-ci` (workflow `release`), `sim-apple`, `sim-apple-beta`, `sim-google`, `sim-google-beta`, `sim-chat`, `sim-issues`, `sim-tests`, `sim-crashes`, `sim-analytics`, `sim-flags`, `sim-on-call` and `sim-translations`, for any `repoName` and `bundleId`.',
    'With `--repositories` it hosts the repositories of git in that folder as `sim-git-vcs`: commits are those of git, requests to merge, reviews and checks those of the world.',
  ]

  @flags.string({ description: 'Name by which configuration files may call it' })
  declare alias: string | undefined

  @flags.string({ description: 'Seed of chance in the world; random by default' })
  declare seed: string | undefined

  @flags.string({ description: 'Folder with repositories of git that the world hosts' })
  declare repositories: string | undefined

  protected async work() {
    const {
      alias = null,
      seed = null,
      repositories = null,
    } = await this.checked(options, {
      repositories: this.repositories && resolve(this.repositories),
      alias: this.alias?.trim(),
      seed: this.seed,
    })
    const principal = await this.organizationPrincipal()
    const secrets = await this.secrets()
    const created = await this.inTransaction(principal, (scope) =>
      new StartWorld(scope, secrets).handle({ alias, seed, repositories })
    )
    const connections: { id: string; alias: string | null; plugin: string; status: string }[] = []
    for (const connection of created.connections) {
      const { status } = await this.tryConnection(principal, connection)
      const { id, alias: called, pluginId: plugin } = connection
      connections.push({ id, alias: called, plugin, status })
    }
    const [{ id, alias: called, status }] = connections
    const document = { id, alias: called, seed: created.seed, status, connections }
    const lines = connections.map((each) => `${each.plugin} is connected as ${each.id}.`)
    const goes = created.isNew ? 'begins' : 'continues'
    return { document, text: [`The world of seed ${created.seed} ${goes}.`, ...lines].join('\n') }
  }
}
