import { writeFile } from 'node:fs/promises'
import { args, flags } from '@adonisjs/core/ace'
import { AppCommand } from '#apps/commands/app_command'
import { UsageError } from '#foundation/console/usage_error'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { gatherEvidence } from '../evidence/gather_evidence.js'
import { verifyEvidence } from '../evidence/verify_evidence.js'
import { parseReleaseId } from '../names/public_release_id.js'
import { readReferencedRelease } from '../queries/find_release.js'

export class ReleaseEvidence extends AppCommand {
  static override commandName = 'release:evidence'
  static override description = 'Write the evidence of a release into one file, and verify it'
  static override help = '`node bin/verify_evidence.js <file>` verifies it on its own.'

  @args.string({ description: 'Id of the release: <appId>:<version>' })
  declare releaseId: string

  @flags.string({
    description: 'The file to write; by default a file named after the release in this folder',
  })
  declare to: string | undefined

  protected async work() {
    const { appId } = parseReleaseId(this.releaseId)
    const scope = this.readScope(await this.ofApp(appId))
    const { bytes, fileName } = await this.#gather(scope, appId)
    const file = this.to ?? fileName
    const { holds, errors, entries, digest, key } = verifyEvidence(bytes)
    await this.#write(file, bytes)
    const broken = errors.map(({ where, message }) => `\n  ${where}: ${message}`).join('')
    return {
      document: { releaseId: this.releaseId, file, entries, digest, key, holds, errors },
      text: `${file}: ${entries} entries, digest ${digest}, sealed with the key ${key}.${broken}`,
      failed: !holds,
    }
  }

  /** Builds the evidence of a release, which may be named by a former id. @throws UsageError */
  async #gather(scope: Scope, appId: string) {
    try {
      const { release } = await readReferencedRelease(scope, appId, this.releaseId)
      return await gatherEvidence(scope, appId, release.publicId)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'not_found') throw error
      throw new UsageError(`There is no release "${this.releaseId}".`)
    }
  }

  /** Writes a new file. Never overwrites an existing one. @throws UsageError */
  async #write(file: string, bytes: Buffer): Promise<void> {
    try {
      await writeFile(file, bytes, { flag: 'wx' })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new UsageError(`The file "${file}" cannot be written (${code}).`)
    }
  }
}
