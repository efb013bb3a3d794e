import { args, flags } from '@adonisjs/core/ace'
import { AppCommand } from '#apps/commands/app_command'
import { UsageError } from '#foundation/console/usage_error'
import { Problem } from '#foundation/core/problems/problem'
import { parseReleaseId } from '#releases/names/public_release_id'
import { findReferencedRelease } from '#releases/queries/find_release'
import { PressRedButton } from '../actions/press_red_button.js'

export class ReleaseRedButton extends AppCommand {
  static override commandName = 'release:red-button'
  static override description =
    'Stop every rollout of a release at once, pause its automations and open a triage issue'
  static override help =
    'The service retries until the stores confirm the stop. Warnings name what users can still get, and the release of the same pair that continues: `--pair` stops that one, too.'

  @args.string({ description: 'Id of the release: <appId>:<version>' })
  declare releaseId: string

  @flags.string({ description: 'Reason, shown in the timeline' })
  declare reason: string | undefined

  @flags.boolean({ description: 'Also stop the other release of the pair' })
  declare pair: boolean | undefined

  protected async work() {
    const { appId } = parseReleaseId(this.releaseId)
    const document = await this.inTransaction(await this.ofApp(appId), async (scope) => {
      await scope.lock('apps', appId)
      const release = await findReferencedRelease(scope, appId, this.releaseId).catch((error) => {
        if (!(error instanceof Problem) || error.code !== 'not_found') throw error
        throw new UsageError(`There is no release "${this.releaseId}".`)
      })
      const reason = this.reason?.slice(0, 1000) ?? null
      const press = new PressRedButton(scope).handle(release, reason, this.pair)
      const warnings = await press.catch((error) => {
        if (!(error instanceof Problem)) throw error
        throw new UsageError(withOptionNames(error.message))
      })
      return {
        ...{ releaseId: release.publicId, stopping: true },
        warnings: warnings.map(({ code, message }) => ({
          code,
          message: withOptionNames(message),
        })),
      }
    })
    const { releaseId, warnings } = document
    const lines = [
      `${releaseId} is being stopped. The service retries until its stores confirm the stop.`,
      ...warnings.map(({ message }) => message),
    ]
    return { document, text: lines.join('\n') }
  }
}

/** Replaces the API field `pair` by the command-line option. */
const withOptionNames = (message: string) => message.replace('pair: true', '--pair')
