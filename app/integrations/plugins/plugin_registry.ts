import { checkPlugin, findCollisions } from '#plugin-kit/check_manifest'
import { CAPABILITY_KINDS, specificationKind, type CapabilityKind } from '#plugin-kit/kinds'
import type { PluginManifest } from '#plugin-kit/manifest'
import type { Plugin } from '#plugin-kit/plugin'
import type { IntegrationsConfig } from '../define_config.js'
import { INTEGRATION_TYPES, type IntegrationTypeInfo } from '../vocabulary.js'

/** A configured plugin that does not run, with the reasons as sentences. */
export interface DisabledPlugin {
  name: string
  problems: readonly string[]
}

type Outcome = { name: string } & ({ plugin: Plugin } | { problems: string[] })

/** The enabled plugins. A broken plugin is disabled and reported, without affecting the others. */
export class PluginRegistry {
  #plugins: readonly Plugin[] = []
  #disabled: readonly DisabledPlugin[] = []

  /**
   * Loads plugins, and replaces those loaded before. Only manifests are imported.
   * @returns the plugins that are disabled
   */
  async load(plugins: IntegrationsConfig['plugins']): Promise<readonly DisabledPlugin[]> {
    const outcomes = await Promise.all(
      Object.entries(plugins).map(([name, load]) => outcomeOf(name, load))
    )
    const loaded = outcomes.filter((each) => 'plugin' in each)
    const collisions = findCollisions(loaded.map(({ plugin }) => plugin.manifest))
    this.#plugins = loaded.filter((_, index) => !collisions.has(index)).map(({ plugin }) => plugin)
    this.#disabled = outcomes.flatMap((each) => {
      const problems = 'plugin' in each ? collisions.get(loaded.indexOf(each)) : each.problems
      return problems ? [{ name: each.name, problems }] : []
    })
    return this.#disabled
  }

  get all(): readonly Plugin[] {
    return this.#plugins
  }

  get disabled(): readonly DisabledPlugin[] {
    return this.#disabled
  }

  /** Finds a plugin by its id or an alias, case-insensitively. */
  find(name: string): Plugin | null {
    const folded = name.toLowerCase()
    const found = this.#plugins.find(({ manifest: { id, aliases } }) =>
      [id, ...aliases].some((each) => each.toLowerCase() === folded)
    )
    return found ?? null
  }

  /** Returns every integration type: those with fixed names, and those that plugins add. */
  types(): ReadonlyMap<string, IntegrationTypeInfo> {
    const added = this.#plugins.flatMap(({ manifest }) =>
      capabilitiesOf(manifest).map(({ kind, type }): [string, IntegrationTypeInfo] => [
        type,
        { kind: specificationKind(kind), vendor: manifest.id },
      ])
    )
    return new Map([...INTEGRATION_TYPES, ...added])
  }
}

/** Returns the capabilities of a plugin, one by one. */
export function capabilitiesOf({ capabilities }: PluginManifest) {
  return Object.entries(capabilities).map(([kind, declaration]) => ({
    kind: kind as CapabilityKind,
    ...declaration,
  }))
}

async function outcomeOf(
  name: string,
  load: () => Promise<{ default: unknown }>
): Promise<Outcome> {
  try {
    const { default: plugin } = await load()
    const problems = [...new Set([...checkPlugin(plugin), ...misnamedTypes(plugin)])]
    return problems.length > 0 ? { name, problems } : { name, plugin: plugin as Plugin }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { name, problems: [`It cannot be imported: ${message}`] }
  }
}

/** Describes the types with fixed names that a plugin declares for another kind. */
function misnamedTypes(plugin: unknown): string[] {
  const { manifest } = (plugin ?? {}) as { manifest?: { capabilities?: unknown } }
  const declared = Object.entries((manifest?.capabilities ?? {}) as object)
  return declared.flatMap(([name, declaration]: [string, { type?: unknown } | null]) => {
    const kind = CAPABILITY_KINDS.find((each) => each === name)
    const type = declaration?.type
    const fixedKind = typeof type === 'string' ? INTEGRATION_TYPES.get(type)?.kind : undefined
    if (kind === undefined) return []
    return fixedKind === undefined || fixedKind === specificationKind(kind)
      ? []
      : [`The type ${type} is of the kind ${fixedKind}, not ${kind}.`]
  })
}

/** The plugins of this process, loaded when it starts. */
export const plugins = new PluginRegistry()
