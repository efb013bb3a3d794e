import { readFile, writeFile } from 'node:fs/promises'

/** The part of `node ace add` that plugins need. */
export interface ConfigureCommand {
  app: { makePath(...paths: string[]): string }
  logger: { success(message: string): unknown; warning(message: string): unknown }
}

const NAME = /^[a-zA-Z]\w*$/
const LIST = /^(\s*)plugins:\s*\{([^}]*)\}/m

/**
 * Returns the configuration with one more plugin.
 * @param text of `config/integrations.ts`
 * @returns the same text if the plugin is listed already; null if it has no list of plugins
 */
export function withPlugin(text: string, name: string, from: string): string | null {
  if (text.includes(`import('${from}')`)) return text
  const found = LIST.exec(text)
  if (!found) return null
  const [whole, indent, listed] = found
  const entries = listed
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const last = entries.at(-1)
  if (last !== undefined && !last.endsWith(',') && !last.startsWith('//')) {
    entries[entries.length - 1] = `${last},`
  }
  const key = NAME.test(name) ? name : `'${name}'`
  entries.push(`${key}: () => import('${from}'),`)
  const lines = entries.map((each) => `${indent}  ${each}`)
  const list = `${indent}plugins: {\n${lines.join('\n')}\n${indent}}`
  return text.replace(whole, () => list)
}

/**
 * Adds a plugin to `config/integrations.ts`; for the `configure` hook of its package.
 * @param from the module to import: `acme-plugin/plugin`
 */
export async function addPlugin(
  command: ConfigureCommand,
  name: string,
  from: string
): Promise<void> {
  const path = command.app.makePath('config/integrations.ts')
  const text = await readFile(path, 'utf8')
  const changed = withPlugin(text, name, from)
  if (changed === null) {
    command.logger.warning(
      `Add to plugins in config/integrations.ts: ${name}: () => import('${from}')`
    )
    return
  }
  if (changed !== text) await writeFile(path, changed)
  command.logger.success(`${name} is listed in config/integrations.ts`)
}
