import { appendFileSync } from 'node:fs'
import { EXIT, Failure } from '../exit_codes.js'
import type { Session } from '../session.js'
import { tick } from './items.js'
import { createRelease } from './release.js'
import { upload } from './upload.js'
import { POINTS, wait, type Point } from './watch.js'

/** Settings of a CI job, as environment variables, so that no shell interprets them. */
export interface CiSettings {
  TARMAC_APP?: string
  TARMAC_VERSION?: string
  TARMAC_FILE?: string
  TARMAC_BUCKET?: string
  TARMAC_NOTES?: string
  TARMAC_TAGS?: string
  TARMAC_ATTACH?: string
  TARMAC_ITEM?: string
  TARMAC_ITEM_STATUS?: string
  TARMAC_ITEM_COMMENT?: string
  TARMAC_WAIT_FOR?: string
  TARMAC_TIMEOUT?: string
  TARMAC_OUTPUT?: string
  /** GitLab's address of the job. */
  CI_JOB_URL?: string
}

const listOf = (given = '') => given.split('\n').flatMap((each) => each.trim() || [])

/**
 * Carries out the settings of a job in this order: finds or drafts the release, uploads the file,
 * sets the status of an item, waits.
 */
export async function ci(
  session: Session,
  settings: CiSettings,
  seconds: (given: string) => number
): Promise<void> {
  const { TARMAC_APP: app, TARMAC_VERSION: version, TARMAC_FILE: file } = settings
  const { TARMAC_ITEM: item, TARMAC_WAIT_FOR: waitFor } = settings
  if (!app) throw new Failure(EXIT.usage, 'Name the app: TARMAC_APP.')
  if ((item || waitFor) && !version)
    throw new Failure(EXIT.usage, 'Name the version: TARMAC_VERSION.')
  if (waitFor && !POINTS.includes(waitFor as Point))
    throw new Failure(EXIT.usage, `TARMAC_WAIT_FOR is ${POINTS.join(', ')}.`)
  const timeout = seconds(settings.TARMAC_TIMEOUT || '30m')
  const results: Record<string, unknown> = {}
  const part = (name: string): Session => ({
    ...session,
    out: session.out.part((document) => (results[name] = document)),
  })
  try {
    await runSteps()
  } finally {
    if (session.out.isJson) session.out.show(results, String)
  }

  async function runSteps() {
    let release = ''
    if (version) {
      const { id } = await createRelease(part('release'), app!, version, { ifMissing: true })
      release = id
      report(settings, 'release', id)
    }
    if (file) {
      const options = {
        app: app!,
        bucket: settings.TARMAC_BUCKET || 'rc',
        notes: settings.TARMAC_NOTES,
        tag: listOf(settings.TARMAC_TAGS),
        attach: listOf(settings.TARMAC_ATTACH),
      }
      await upload(part('build'), file, options, ({ id, sha256 }) => {
        report(settings, 'build', id)
        report(settings, 'sha256', sha256)
      })
    }
    if (item) {
      const { TARMAC_ITEM_STATUS: status, CI_JOB_URL: shownAt } = settings
      const comment = settings.TARMAC_ITEM_COMMENT || shownAt
      await tick(part('item'), release, item, {
        ...(status ? { status } : {}),
        ...(comment ? { comment } : {}),
      })
    }
    if (waitFor) await wait(part('wait'), release, { for: waitFor as Point, timeout })
  }
}

/** Appends a result to the output file, for later steps of the job. */
function report({ TARMAC_OUTPUT: output }: CiSettings, name: string, value: string): void {
  if (output) appendFileSync(output, `${name}=${value}\n`)
}
