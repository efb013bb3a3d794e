/** All tokens that a pattern may contain in braces. */
export const TOKEN_NAMES = [
  'version',
  'versionConcise',
  'versionMajorMinor',
  'releaseName',
  'releasePilot',
  'releaseBranchName',
  'workingBranchName',
  'targetBranchName',
  '*',
  'commitMessage',
  'commitShortHash',
  'prTitle',
  'prBody',
  'prTitleOrCommitMessage',
  'prBodyOrCommitHash',
  'prNumberOrCommitHash',
  'appStoreBuildNumber',
  'ciBuildNumber',
] as const

export type TokenName = (typeof TOKEN_NAMES)[number]

/** Tokens for a version, in one of its spellings. */
export const VERSION_TOKENS: readonly TokenName[] = [
  'version',
  'versionConcise',
  'versionMajorMinor',
]

const PULL_REQUEST_TOKENS: readonly TokenName[] = [
  'commitMessage',
  'commitShortHash',
  'prTitle',
  'prBody',
  'prTitleOrCommitMessage',
  'prBodyOrCommitHash',
  'prNumberOrCommitHash',
]

const RELEASE_TOKENS: readonly TokenName[] = [...VERSION_TOKENS, 'releaseName', 'releasePilot']

/**
 * The purpose of a pattern. `bucketBranch` is only matched. The others are also written out, to
 * create a tag, cut a branch or set an affiliation on a ticket.
 */
export const PATTERN_PURPOSES = [
  'tag',
  'branch',
  'workingBranch',
  'featureAffiliation',
  'bucketBranch',
  'pullRequest',
] as const

export type PatternPurpose = (typeof PATTERN_PURPOSES)[number]

interface PurposeRule {
  /** The name of the pattern in messages. */
  noun: string
  allowed: readonly TokenName[]
  /** At least one of these must be present. */
  needsOneOf?: readonly TokenName[]
  /** A pattern without any token is valid although `needsOneOf` is given. */
  mayBeStatic?: boolean
  /** A bare `*` means `{*}`. A branch name cannot contain `*` (git-check-ref-format). */
  bareStar?: boolean
}

const NAMING_TOKENS: readonly TokenName[] = ['version', 'versionConcise', 'releaseName']

export const PURPOSE_RULES: Record<PatternPurpose, PurposeRule> = {
  tag: {
    noun: 'tag pattern',
    allowed: [
      ...RELEASE_TOKENS,
      'releaseBranchName',
      'workingBranchName',
      'appStoreBuildNumber',
      'ciBuildNumber',
    ],
    needsOneOf: VERSION_TOKENS,
  },
  branch: {
    noun: 'branch pattern',
    allowed: [...RELEASE_TOKENS, 'workingBranchName'],
    needsOneOf: NAMING_TOKENS,
    mayBeStatic: true,
  },
  workingBranch: { noun: 'working branch', allowed: [] },
  featureAffiliation: {
    noun: 'feature affiliation',
    allowed: [...RELEASE_TOKENS, 'releaseBranchName', 'workingBranchName'],
    needsOneOf: NAMING_TOKENS,
  },
  bucketBranch: {
    noun: 'branch pattern of a bucket rule',
    allowed: [...RELEASE_TOKENS, 'releaseBranchName', 'workingBranchName', '*'],
    needsOneOf: [...NAMING_TOKENS, 'releaseBranchName', 'workingBranchName', '*'],
    mayBeStatic: true,
    bareStar: true,
  },
  pullRequest: {
    noun: 'pull request text',
    allowed: [
      ...RELEASE_TOKENS,
      'releaseBranchName',
      'workingBranchName',
      'targetBranchName',
      ...PULL_REQUEST_TOKENS,
    ],
  },
}
