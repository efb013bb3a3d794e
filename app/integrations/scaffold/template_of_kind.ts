import { OPTIONAL_METHODS, REQUIRED_METHODS } from '#plugin-kit/capabilities/map'
import { DATA_FIELDS, type DataField, type Kind } from '#plugin-kit/kinds'

/*
 * The template is a chat plugin. For another kind, its chat parts are replaced by a capability
 * whose methods are still to be written.
 */

/** The kind that the template is a worked example of. */
export const EXAMPLE_KIND = 'chat'

const REGION = /^ *\/\/ #region chat\n([^]*?)^ *\/\/ #endregion\n/gm
/** Files of the template that only a chat plugin needs. */
const EXAMPLE_FILES = ['capabilities/chat.ts', ...fixtures('channel', 'error', 'message')]

function fixtures(...names: string[]): string[] {
  return names.map((name) => `fixtures/${name}.json`)
}

/** Returns whether a plugin of a kind needs a file of the template. */
export const isOfKind = (path: string, kind: Kind): boolean =>
  kind === EXAMPLE_KIND || !EXAMPLE_FILES.some((each) => path.endsWith(each))

/** Returns the text of a template's file for a plugin of a kind. */
export function textOfKind(text: string, kind: Kind): string {
  if (kind === EXAMPLE_KIND) return text.replaceAll(REGION, '$1')
  const manifest = `  capabilities: {\n${declarationOf(kind)}  },\n`
  return text
    .replaceAll(REGION, '')
    .replace('  capabilities: {\n  },\n', manifest)
    .replace(`chat: () => import('./capabilities/chat.js')`, loaderOf(kind))
    .replace(`{ chat: { primaryChannelIds: ['C1'] } }`, `{ ${kind}: ${sampleOf(kind)} }`)
    .replace('`acme-chat`, with `primaryChannelIds`', `\`${typeOf(kind)}\`${withFields(kind)}`)
}

/** Returns the file of the capability: every method that the kind demands, each of which throws. */
export function capabilityOf(kind: Kind): { path: string; text: string } {
  const port = kind === 'ci' ? 'ContinuousIntegration' : upperFirst(kind)
  const methods = Object.keys(REQUIRED_METHODS[kind]).map(
    (name) => `  async ${name}(): Promise<never> {\n    throw this.#unwritten('${name}')\n  }\n`
  )
  const optional = Object.keys(OPTIONAL_METHODS[kind])
  const more =
    optional.length === 0
      ? ''
      : `\n * Methods that it may have, too, as \`features\` of the manifest: ${optional.join(', ')}.`
  const text = `import { ProviderError, type ${port}, type PluginContext } from '#plugin-kit/index'

/**
 * Acme as ${port}. docs/reference/plugin-kit/${kind}.md says what each method takes and answers.${more}
 */
export default class Acme${upperFirst(kind)} implements ${port} {
  constructor(private readonly ctx: PluginContext) {}

${methods.join('\n')}
  #unwritten(method: string): ProviderError {
    const message = \`\${this.ctx.manifest.name} has no \${method} yet\`
    return new ProviderError('unsupported', message, { outcome: 'notApplied' })
  }
}
`
  return { path: `capabilities/${snakeCase(kind)}.ts`, text }
}

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const snakeCase = (text: string) =>
  text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const typeOf = (kind: Kind) => `acme-${snakeCase(kind).replaceAll('_', '-')}`
const loaderOf = (kind: Kind) => `${kind}: () => import('./capabilities/${snakeCase(kind)}.js')`

/**
 * Returns the fields of a kind that a plugin describes itself; those of events are the service's.
 */
function fieldsOf(kind: Kind): [string, Exclude<DataField, 'events'>][] {
  return Object.entries(DATA_FIELDS[kind]).flatMap(([name, field]) =>
    field === 'events' ? [] : [[name, field]]
  )
}

function declarationOf(kind: Kind): string {
  const one = `{ type: 'string', minLength: 1, maxLength: 300 }`
  const properties = fieldsOf(kind).map(([name, field]) => {
    const many = `{ type: 'array', items: ${one}, maxItems: 20 }`
    return `          ${name}: ${field === 'texts' ? many : one},\n`
  })
  return `    ${kind}: {
      type: '${typeOf(kind)}',
      features: [],
      dataSchema: {
        type: 'object',
        properties: {
${properties.join('')}        },
      },
    },
`
}

function sampleOf(kind: Kind): string {
  const members = fieldsOf(kind).map(
    ([name, field]) => `${name}: ${field === 'texts' ? `['one']` : `'one'`}`
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function withFields(kind: Kind): string {
  const names = fieldsOf(kind).map(([name]) => `\`${name}\``)
  return names.length === 0 ? '' : `, with ${names.join(', ')}`
}
