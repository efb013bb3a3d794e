import { ConsoleCommand } from '#foundation/console/console_command'
import { capabilitiesOf, plugins } from '../plugins/plugin_registry.js'

export class ProviderPlugins extends ConsoleCommand {
  static override commandName = 'provider:plugins'
  static override description = 'List the plugins that run, and why others do not'

  protected async work() {
    const running = plugins.all.map(({ manifest }) => ({
      id: manifest.id,
      name: manifest.name,
      version: manifest.version,
      docsUrl: manifest.docsUrl,
      types: capabilitiesOf(manifest).map(({ type }) => type),
      credentials: Object.keys(manifest.credentialSchema.properties),
      settings: Object.keys(manifest.connectionSchema.properties),
    }))
    const document = { plugins: running, disabled: plugins.disabled }
    const lines = [
      ...running.map(
        ({ id, version, types, credentials }) =>
          `${id}  ${version}  ${types.join(', ')}  takes ${credentials.join(', ') || 'nothing'}`
      ),
      ...plugins.disabled.map(({ name, problems }) => `${name}  disabled: ${problems.join(' ')}`),
    ]
    return { document, text: lines.join('\n') || 'No plugin is configured.' }
  }
}
