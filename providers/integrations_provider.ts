import { configProvider } from '@adonisjs/core'
import { HealthChecks } from '@adonisjs/core/health'
import type { ApplicationService } from '@adonisjs/core/types'
import type { IntegrationsConfig } from '#integrations/define_config'
import type { LastResponses } from '#integrations/last_answers'
import type { CallLog } from '#integrations/port/call_log'
import { homePath } from '#start/home'

/**
 * Loads the manifests of the plugins, and binds what calls them. The code of a plugin is imported
 * at its first use.
 */
export default class IntegrationsProvider {
  #log: CallLog | null = null
  #answers: LastResponses | null = null

  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton('integrations.secrets', async (resolver) => {
      const { SecretBox } = await import('#foundation/core/secret_box')
      const encryption = await resolver.make('encryption')
      return new SecretBox(encryption.use('credentials'))
    })
    this.app.container.singleton('integrations.log', async (resolver) => {
      const { CallLog } = await import('#integrations/port/call_log')
      return (this.#log = new CallLog(
        await resolver.make('lucid.db'),
        await resolver.make('logger'),
        await resolver.make('clock')
      ))
    })
    this.app.container.singleton('integrations.answers', async (resolver) => {
      const { LastResponses } = await import('#integrations/last_answers')
      return (this.#answers = new LastResponses(
        await resolver.make('lucid.db'),
        await resolver.make('clock'),
        await resolver.make('logger')
      ))
    })
    this.app.container.singleton('integrations.port', async (resolver) => {
      const { httpOptionsOf } = await import('#provider-port/http_options')
      const { MemoryBudgets } = await import('#provider-port/budgets')
      const { DatabaseBudgets } = await import('#integrations/port/database_budgets')
      const { makePort } = await import('#provider-port/make_port')
      const { withInProcessHosts } = await import('#integrations/port/in_process')
      const { ledToFakes } = await import('#integrations/port/fake_hosts')
      const { fakeHosts } = await import('#config/outbound')
      const { dialect } = await import('#config/database')
      const database = await resolver.make('lucid.db')
      return makePort({
        transport: withInProcessHosts(ledToFakes(await resolver.make('outbound'), fakeHosts)),
        clock: await resolver.make('clock'),
        logger: await resolver.make('logger'),
        // Processes that share a database share the budgets of providers.
        budgets: dialect === 'postgres' ? new DatabaseBudgets(database) : new MemoryBudgets(),
        options: httpOptionsOf(await this.#config()),
      })
    })
    this.app.container.singleton('integrations.caller', async (resolver) => {
      const { PluginCaller } = await import('#integrations/plugins/plugin_caller')
      const { TokenCache } = await import('#plugin-kit/authentication/token_cache')
      const { pairsOf } = await import('#integrations/authentication/pairs_of')
      const { keptOf } = await import('#integrations/connections/kept_values')
      const { pause } = await import('#provider-port/make_port')
      const clock = await resolver.make('clock')
      const secrets = await resolver.make('integrations.secrets')
      const unitOfWork = await resolver.make('unitOfWork')
      return new PluginCaller({
        clock,
        logger: await resolver.make('logger'),
        port: await resolver.make('integrations.port'),
        log: await resolver.make('integrations.log'),
        cache: new TokenCache(),
        secrets,
        folders: await resolver.make('integrations.folders'),
        answers: await resolver.make('integrations.answers'),
        keptOf: keptOf(unitOfWork),
        pairsOf: pairsOf({ unitOfWork, secrets, clock, pause }),
      })
    })
    this.app.container.singleton('integrations.callbacks', async (resolver) => {
      const { TakeCallback } = await import('#integrations/callbacks/take_callback')
      const { plugins } = await import('#integrations/plugins/plugin_registry')
      const { tenants } = await import('#organizations/queries/find_tenants')
      return new TakeCallback({
        database: await resolver.make('lucid.db'),
        unitOfWork: await resolver.make('unitOfWork'),
        tenants,
        plugins,
        secrets: await resolver.make('integrations.secrets'),
        clock: await resolver.make('clock'),
        logger: await resolver.make('logger'),
      })
    })
    this.app.container.singleton('integrations.authorizations', async (resolver) => {
      const { FinishAuthorization } = await import('#integrations/oauth/finish_authorization')
      const { tenants } = await import('#organizations/queries/find_tenants')
      return new FinishAuthorization({
        database: await resolver.make('lucid.db'),
        unitOfWork: await resolver.make('unitOfWork'),
        tenants,
        secrets: await resolver.make('integrations.secrets'),
        caller: await resolver.make('integrations.caller'),
        clock: await resolver.make('clock'),
      })
    })
    this.app.container.singleton('integrations.folders', async () => {
      const { ConnectionFolders } = await import('#integrations/connections/connection_folders')
      return new ConnectionFolders(homePath('connections'))
    })
    this.app.container.singleton('integrations.pageFolders', async () => {
      const { gitFolders } = await import('#config/git_folders')
      return { git: gitFolders }
    })
    this.app.container.resolving(HealthChecks, async (health, resolver) => {
      const { plugins } = await import('#integrations/plugins/plugin_registry')
      const { PluginsCheck } = await import('#integrations/plugins/plugins_check')
      const { HostsCheck } = await import('#integrations/port/hosts_check')
      const { patiently } = await import('#foundation/service/health')
      const hosts = new HostsCheck(await resolver.make('lucid.db'), await resolver.make('clock'))
      health.append([new PluginsCheck(plugins), patiently(hosts)])
    })
  }

  /**
   * Loads the plugins. A broken one disables its own integrations, and never prevents the start.
   */
  async boot() {
    const config = await this.#config()
    const { plugins } = await import('#integrations/plugins/plugin_registry')
    const disabled = await plugins.load(config.plugins)
    const { fakeHosts } = await import('#config/outbound')
    if (disabled.length === 0 && fakeHosts.size === 0) return
    const report = async () => {
      const logger = await this.app.container.make('logger')
      for (const [host, origin] of fakeHosts) {
        logger.warn(`calls to ${host} go to the fake at ${origin} (PROVIDER_HOSTS)`)
      }
      for (const { name, problems } of disabled) {
        logger.warn({ plugin: name, problems }, 'a plugin is disabled')
      }
    }
    if (this.app.getEnvironment() !== 'console') return report()
    // At the console, `provider:plugins` and `integrations:doctor` report this; only a worker logs
    // it.
    this.app.container.resolving('work', report)
  }

  /** Writes the latest calls before the database closes. */
  async shutdown() {
    await this.#log?.flush()
    await this.#answers?.flush()
  }

  async #config(): Promise<IntegrationsConfig> {
    const given = this.app.config.get('integrations')
    const config = await configProvider.resolve<IntegrationsConfig>(this.app, given)
    if (!config) throw new Error('config/integrations.ts has to export what defineConfig gives.')
    return config
  }
}
