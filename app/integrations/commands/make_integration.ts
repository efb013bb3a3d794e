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

/** The format of ids in manifests. The template also uses the id in host names. */
const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const MAX_ID = 39

export class MakeIntegration extends ConsoleCommand {
  static override commandName = 'make:integration'
  static override description = 'Create a plugin with a fake and tests; a chat plugin works at once'

  @args.string({ description: 'Id of the plugin: launch-darkly' })
  declare name: string

  @flags.boolean({ description: 'Create a separate package instead of a folder of the service' })
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
      throw new UsageError(
        'The name consists of lower case letters, digits and hyphens, such as launch-darkly.'
      )
    }
    if (plugins.find(id)) throw new UsageError(`There is already a plugin ${id}.`)
    const kind = KINDS.find((each) => each === (this.kind ?? EXAMPLE_KIND))
    if (!kind) throw new UsageError(`--kind must be one of ${KINDS.join(', ')}.`)
    const isPackage = this.package
    if (isPackage && !this.to) throw new UsageError('--package needs a folder: --to.')
    const root = this.app.makePath()
    const defaultFolder = this.app.makePath('app/integrations/providers', id)
    const to = this.to === undefined ? defaultFolder : resolve(this.to)
    const template = this.app.makePath('packages/plugin-kit/template')
    const files = await writePlugin({ id, kind, to, isPackage, template }).catch(throwUsageError)
    const isListed = to === defaultFolder && (await this.#list(id))
    const folder = relative(root, to) || '.'
    const next = isPackage
      ? 'The README of packages/plugin-kit explains how to build and try it.'
      : `node --import=./bin/typescript.js bin/test.ts --files ${folder}/tests/conformance.spec.ts tries it.`
    const todo =
      kind === EXAMPLE_KIND
        ? ''
        : ` Implement its methods (docs/reference/plugin-kit/${kind}.md). Until then its tests fail and name the rules.`
    const listed = isListed ? ' It is listed in config/integrations.ts.' : ''
    return {
      document: { id, kind, folder, files },
      text: `${id} is in ${folder}.${listed}${todo} ${next}`,
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
