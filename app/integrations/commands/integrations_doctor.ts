import { flags } from '@adonisjs/core/ace'
import type { Principal } from '#foundation/core/principal'
import { Problem } from '#foundation/core/problems/problem'
import { conformanceOf, type ConformanceSummary } from '../conformance_summary.js'
import { plugins } from '../plugins/plugin_registry.js'
import { diagnoseConnection, type Diagnosis } from '../queries/diagnose_connection.js'
import { endOfCredentials } from '../queries/ending_connections.js'
import { listConnections, type ListedConnection } from '../queries/list_connections.js'
import type { ConnectionStatus } from '../vocabulary.js'
import { ProviderCommand } from './provider_command.js'

interface CheckedConnection extends Diagnosis {
  id: string
  plugin: string
  status: ConnectionStatus
  /** The errors of the connection, as sentences; empty if it works. */
  problems: string[]
}

interface PluginHealth {
  id: string
  version: string
  conformance: ConformanceSummary
}

export class IntegrationsDoctor extends ProviderCommand {
  static override commandName = 'integrations:doctor'
  static override description =
    'Check every connection, and show its limits, failures and plugin; fails if something is wrong'

  @flags.boolean({
    description: 'Call the providers; on by default',
    default: true,
    showNegatedVariantInHelp: true,
  })
  declare check: boolean

  protected async work() {
    const principal = await this.organizationPrincipal()
    const connections: CheckedConnection[] = []
    for (const each of await listConnections(this.readScope(principal))) {
      connections.push(await this.#examine(principal, each))
    }
    const running = await Promise.all(
      plugins.all.map(async (plugin): Promise<PluginHealth> => {
        const { id, version } = plugin.manifest
        return { id, version, conformance: await conformanceOf(plugin) }
      })
    )
    const { disabled } = plugins
    const isUnhealthy =
      disabled.length > 0 ||
      connections.some(({ problems }) => problems.length > 0) ||
      running.some(({ conformance }) => conformance.state === 'failed')
    const lines = [
      ...connections.flatMap(linesOf),
      ...running.map(lineOfPlugin),
      ...disabled.map(({ name, problems }) => `${name}  disabled: ${problems.join(' ')}`),
    ]
    return {
      document: { healthy: !isUnhealthy, connections, plugins: running, disabled },
      text: lines.join('\n') || 'There are no plugins and no connections.',
      failed: isUnhealthy,
    }
  }

  async #examine(principal: Principal, connection: ListedConnection): Promise<CheckedConnection> {
    const { id, plugin } = connection
    const problems: string[] = []
    let { status, endsAt } = connection
    if (this.check && status !== 'disconnected') {
      const result = await this.#check(principal, connection)
      status = result.status
      endsAt = result.endsAt
      if (result.problem !== null) problems.push(result.problem)
    }
    if (problems.length === 0 && status !== 'connected') problems.push(`It is ${status}.`)
    const ending = endOfCredentials({ ...connection, status, endsAt }, this.clock.now())
    if (ending) problems.push(ending.message)
    // Flushes the log, so that the diagnosis sees the most recent calls.
    await (await this.app.container.make('integrations.log')).flush()
    const diagnosis = await diagnoseConnection(
      this.readScope(principal),
      connection,
      this.clock.now()
    )
    for (const { host, breaker, since } of diagnosis.hosts) {
      if (breaker === 'open') problems.push(`${host} has not been called since ${since}.`)
    }
    return { id, plugin, status, problems, ...diagnosis }
  }

  async #check(principal: Principal, connection: ListedConnection) {
    const { id, plugin: pluginId, settings, status, endsAt } = connection
    try {
      const tried = await this.tryConnection(principal, { id, pluginId, settings })
      const { check } = tried
      if (!check.ok) {
        return { status: tried.status, endsAt, problem: `${check.message} (${check.code}).` }
      }
      const missing = check.missingPermissions.join(', ')
      const problem = missing === '' ? null : `It lacks ${missing}.`
      return { status: tried.status, endsAt: check.endsAt, problem }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { status, endsAt, problem: error.message }
    }
  }
}

function linesOf({ id, status, problems, hosts, budget, failures }: CheckedConnection): string[] {
  const left = budget ? `${budget.left} of ${budget.of} calls left in ${budget.perSeconds} s` : '-'
  const state = problems.length === 0 ? 'works' : problems.join(' ')
  return [
    `${id}  ${status}  ${left}  ${state}`,
    ...hosts.map(({ host, breaker, since }) => `  ${host}  breaker ${breaker} since ${since}`),
    ...failures.map(
      ({ calledAt, method, host, path, status: httpStatus, code }) =>
        `  ${calledAt}  ${method} ${host}${path}  ${httpStatus ?? '-'} ${code}`
    ),
  ]
}

function lineOfPlugin({ id, version, conformance }: PluginHealth): string {
  if (!('failed' in conformance)) return `${id}  ${version}  conformance ${conformance.state}`
  const { state, failed, unverified, untested } = conformance
  const more = [
    ...(failed.length > 0 ? [failed.join(', ')] : []),
    ...(unverified > 0
      ? [`${unverified} unverified assumption${unverified === 1 ? '' : 's'}`]
      : []),
    ...(untested.length > 0 ? [`no tests for ${untested.join(', ')}`] : []),
  ]
  return [`${id}  ${version}  conformance ${state}`, ...more].join('; ')
}
