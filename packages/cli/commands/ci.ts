import { appendFileSync } from 'node:fs'
import { EXIT, Failure } from '../exit_codes.js'
import { nearest } from '../nearest.js'
import { columns, plain } from '../output.js'
import type { Session } from '../session.js'
import { tick } from './items.js'
import { createRelease } from './release.js'
import { upload } from './upload.js'
import { POINTS, wait, type Point } from './watch.js'

/** Variables of a CI job with what they are for, in the order of the help. */
export const VARIABLES = {
  TARMAC_URL: 'address of the service',
  TARMAC_API_KEY: 'an API key, from a secret; without one the job exchanges its token for a key',
  TARMAC_ORG: 'id of the organization, for a job without an API key',
  TARMAC_APP: 'id of the app',
  TARMAC_VERSION: 'version of the release, which is found or drafted; the v of a tag is left out',
  TARMAC_FILE: 'a build to upload',
  TARMAC_BUCKET: 'id, name or type of the bucket that the build goes to (rc)',
  TARMAC_NOTES: 'notes for testers',
  TARMAC_TAGS: 'tags of the build, one a line',
  TARMAC_ATTACH: 'further files of the build, such as symbols, one a line',
  TARMAC_ITEM: 'id or title of an item of the release whose result is posted',
  TARMAC_ITEM_STATUS: 'its status, such as passed or failed (done)',
  TARMAC_ITEM_COMMENT: 'what was found, or where it is shown',
  TARMAC_WAIT_FOR: `the point to wait for: ${POINTS.join(', ')}`,
  TARMAC_TIMEOUT: 'how long to wait, such as 90s, 30m or 2h (30m)',
  TARMAC_OUTPUT: 'a file that gets release=, build= and sha256=',
  TARMAC_ID_TOKEN: 'the token of GitLab, for a job without an API key',
} as const

/** Variables that the steps in `ci` use for themselves. */
const STEP_VARIABLES: readonly string[] = ['TARMAC_CLI']

/** Settings of a CI job, as environment variables, so that no shell interprets them. */
export type CiSettings = Partial<Record<keyof typeof VARIABLES, string>> & {
  /** GitLab's address of the job. */
  CI_JOB_URL?: string
}

/** Returns the list of variables for the help. */
export const variablesText = (): string =>
  `Variables:\n${columns(Object.entries(VARIABLES).map((row) => ['', ...row]))}`

/** Warns of variables that no setting has, which are most likely misspelt. */
export function warnOfUnknown(env: Readonly<Record<string, string | undefined>>): void {
  const known = Object.keys(VARIABLES)
  for (const name of Object.keys(env)) {
    if (!name.startsWith('TARMAC_') || known.includes(name) || STEP_VARIABLES.includes(name))
      continue
    const meant = nearest(name, known)
    const advice = meant === null ? '' : ` Did you mean ${meant}?`
    process.stderr.write(`${plain(name)} is no setting of "tarmac ci".${advice}\n`)
  }
}

/** Checks the settings before anything is done. @throws Failure with the one that is missing or wrong */
export function requireSettings({
  TARMAC_APP: app,
  TARMAC_VERSION: version,
  TARMAC_FILE: file,
  TARMAC_ITEM: item,
  TARMAC_WAIT_FOR: waitFor,
}: CiSettings): void {
  if (!app) throw new Failure(EXIT.usage, 'Name the app: TARMAC_APP.')
  if ((item || waitFor) && !version)
    throw new Failure(EXIT.usage, 'Name the version: TARMAC_VERSION.')
  if (waitFor && !POINTS.includes(waitFor as Point))
    throw new Failure(EXIT.usage, `TARMAC_WAIT_FOR is ${POINTS.join(', ')}.`)
  if (version || file) return
  throw new Failure(
    EXIT.usage,
    'Nothing to do: set TARMAC_VERSION, TARMAC_FILE, or with a version TARMAC_ITEM or TARMAC_WAIT_FOR. "tarmac ci --help" lists them all.'
  )
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
  const { TARMAC_APP: app, TARMAC_FILE: file } = settings
  const { TARMAC_ITEM: item, TARMAC_WAIT_FOR: waitFor } = settings
  // The name of a tag often is that of its version after a v.
  const version = settings.TARMAC_VERSION?.replace(/^v(?=\d)/, '')
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
