import { readFile, writeFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { args, flags } from '@adonisjs/core/ace'
import { ConsoleCommand } from '#foundation/console/console_command'
import { UsageError } from '#foundation/console/usage_error'
import { KINDS } from '#plugin-kit/kinds'
import { withPlugin } from '#plugin-kit/configure'
import { plugins } from '../plugins/plugin_registry.js'
import { EXAMPLE_KIND } from '../scaffold/template_of_kind.js'
import { FolderTaken, writePlugin } from '../scaffold/write_plugin.js'

/**
 * The form that manifests demand; it begins and ends like a host name, because the template makes
 * host names of it.
 */
const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const MAX_ID = 39

export class MakeIntegration extends ConsoleCommand {
  static override commandName = 'make:integration'
  static override description =
    'Write a new plugin with a fake and tests; that of a chat works as it is'

  @args.string({ description: 'Id of the plugin: launch-darkly' })
  declare name: string

  @flags.boolean({ description: 'Write a package of its own instead of a folder of the service' })
  declare package: boolean

  @flags.string({ description: `What it is for; chat by default: ${KINDS.join(', ')}` })
  declare kind: string | undefined

  @flags.string({
    description: 'The folder to write; app/integrations/providers/<name> by default',
  })
  declare to: string | undefined

  protected async work() {
    const id = this.name
    if (!ID.test(id) || id.length < 2 || id.length > MAX_ID) {
      throw new UsageError('The name takes lower case letters, digits and hyphens: launch-darkly.')
    }
    if (plugins.find(id)) throw new UsageError(`There is a plugin ${id} already.`)
    const kind = KINDS.find((each) => each === (this.kind ?? EXAMPLE_KIND))
    if (!kind) throw new UsageError(`--kind is one of ${KINDS.join(', ')}.`)
    const isPackage = this.package
    if (isPackage && !this.to) throw new UsageError('--package takes the folder with --to.')
    const root = this.app.makePath()
    const own = this.app.makePath('app/integrations/providers', id)
    const to = this.to === undefined ? own : resolve(this.to)
    const template = this.app.makePath('packages/plugin-kit/template')
    const files = await writePlugin({ id, kind, to, isPackage, template }).catch(throwUsageError)
    const isListed = to === own && (await this.#list(id))
    const folder = relative(root, to) || '.'
    const next = isPackage
      ? 'The README of packages/plugin-kit explains how to build and try it.'
      : `node --import=./bin/typescript.js bin/test.ts --files ${folder}/tests/conformance.spec.ts tries it.`
    const lacks =
      kind === EXAMPLE_KIND
        ? ''
        : ` Its methods are yours to write (docs/reference/plugin-kit/${kind}.md); until then its tests fail and say which rule each breaks.`
    const listed = isListed ? ' It is listed in config/integrations.ts.' : ''
    return {
      document: { id, kind, folder, files },
      text: `${id} is in ${folder}.${listed}${lacks} ${next}`,
    }
  }

  async #list(id: string): Promise<boolean> {
    const path = this.app.makePath('config/integrations.ts')
    const text = await readFile(path, 'utf8')
    const changed = withPlugin(text, id, `#integrations/providers/${id}/plugin`)
    if (changed === null) return false
    await writeFile(path, changed)
    return true
  }
}

function throwUsageError(error: unknown): never {
  if (error instanceof FolderTaken) throw new UsageError(error.message)
  throw error
}
