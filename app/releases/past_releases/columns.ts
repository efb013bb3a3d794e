/** Limits of a table. */
export const MAX_TABLE_BYTES = 256 * 1024
export const MAX_TABLE_ROWS = 500
export const MAX_COLUMNS = 100

/** The dates of the stages of a release, in chronological order. */
export const STAGES = ['kickedOffAt', 'submittedAt', 'approvedAt', 'releasedAt'] as const
/** All dates of a release. */
export const DATES = [...STAGES, 'targetSubmitAt', 'targetReleaseAt'] as const

/** The columns of a table that are read. */
export const COLUMNS = ['version', 'releaseName', 'releaseType', ...DATES] as const
