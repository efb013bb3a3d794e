/*
 * Limits of an app and a release. No team comes near them. They bound the work of one request,
 * because a change of an app updates every open release with its steps and items. Rows that
 * exceeded a limit when it was introduced stay, and can still be changed and removed.
 */

/** Maximum number of steps in an app's workflow, including the steps of every destination. */
export const MAX_WORKFLOW_STEPS = 400

/**
 * Maximum number of steps of a release: those of the workflow, and those that it keeps because work
 * on them had begun before the workflow dropped them.
 */
export const MAX_RELEASE_STEPS = 500

/** Maximum number of upcoming and active releases of an app. */
export const MAX_OPEN_RELEASES = 100

/** Maximum number of item templates of an app, over all kinds and steps. */
export const MAX_TEMPLATES = 1000

/**
 * Maximum number of items of a release: copies of templates, one-offs, and items that it keeps
 * although their template is gone.
 */
export const MAX_RELEASE_ITEMS = 1500
