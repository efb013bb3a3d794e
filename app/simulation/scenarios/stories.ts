/** The messages that a rehearsal of a bundled scenario must contain, in order. */
interface Story {
  reports: readonly RegExp[]
  /** Messages that must not occur. */
  never?: readonly RegExp[]
}

const SUBMITTED = /1\.0\.0 was submitted for review/
const RELEASED = /1\.0\.0 was released to users/

/**
 * The expected stories of the bundled scenarios, for an iOS app whose people act: `npm run demo --
 * --scenario <name>` fails if its story does not occur.
 */
export const STORIES: Readonly<Record<string, Story>> = {
  'happy-train': {
    reports: [/1\.0\.0 was kicked off/, SUBMITTED, RELEASED, /1\.0\.0 is completed/],
    never: [/fail/i, /REJECTED/, /(?<!Features: \w+ → )blocked/, /PAUSED/, /could not/],
  },
  'failed-build': {
    reports: [/running → failed/, /Candidate: inProgress → blocked/, /Candidate: \w+ → complete/],
  },
  'rejected': {
    reports: [SUBMITTED, /1\.0\.0 in the store: IN_REVIEW → REJECTED/, SUBMITTED, RELEASED],
  },
  'metadata-rejected': {
    reports: [
      SUBMITTED,
      /1\.0\.0 in the store: IN_REVIEW → METADATA_REJECTED/,
      SUBMITTED,
      RELEASED,
    ],
  },
  'processing-stuck': {
    reports: [
      /Build 1 of release: running → success/,
      /Build 2 of 1\.0\.0 is in the store/,
      SUBMITTED,
    ],
  },
  'crash-spike': {
    reports: [
      /The rollout of 1\.0\.0 is ACTIVE at 5 %/,
      /The red button of 1\.0\.0 was pressed|1\.0\.0 was stopped/,
      /The rollout of 1\.0\.0 is PAUSED/,
      /1\.0\.1 was kicked off/,
    ],
  },
  'store-outage': {
    reports: [
      /CI is away/,
      /CI is back/,
      /The App Store is away/,
      /1\.0\.0 could not be submitted|The App Store could not be asked/,
      /The App Store is back/,
      SUBMITTED,
      RELEASED,
    ],
  },
  'console': {
    reports: [
      /Somebody cancels review in the console of the App Store/,
      /1\.0\.0 was withdrawn from review outside of Tarmac/,
      SUBMITTED,
      /1\.0\.0 was released outside of Tarmac/,
    ],
  },
  'credentials-revoked': {
    reports: [
      /The App Store refuses the token/,
      /1\.0\.0 could not be submitted: The store does not accept the credentials/,
      /The App Store takes the token again/,
      SUBMITTED,
    ],
  },
  'everything-at-once': {
    reports: [
      /running → failed/,
      /The App Store is away/,
      /The chat is away/,
      /IN_REVIEW → METADATA_REJECTED/,
      /IN_REVIEW → REJECTED/,
      /1\.0\.0 had its rollout paused outside of Tarmac/,
      /The App Store refuses the token/,
      /The App Store takes the token again/,
      /The rollout of 1\.0\.0 is being paused|The red button of 1\.0\.0 was pressed/,
      /1\.0\.1 was kicked off/,
    ],
  },
}

/** Returns missing or misplaced messages of a story, and forbidden ones that occurred. */
export function unreported({ reports, never = [] }: Story, texts: readonly string[]): string[] {
  let from = 0
  const missing = reports.flatMap((each) => {
    const at = texts.findIndex((text, index) => index >= from && each.test(text))
    if (at < 0) return [`nothing like ${each.source}`]
    from = at + 1
    return []
  })
  const wrong = never.flatMap((each) => texts.find((text) => each.test(text)) ?? [])
  return [...missing, ...wrong]
}
