/*
 * Limits of an app and a release. No team comes near these; they bound the work of one request,
 * since an edit of an app reaches every open release with all it holds. Rows from before a bound
 * stay, and can be changed and removed.
 */

/** Most steps of an app's workflow, those of all its destinations together. */
export const MAX_WORKFLOW_STEPS = 400

/** Most steps of a release: those of the workflow, and those it lost after they were begun. */
export const MAX_RELEASE_STEPS = 500

/** Most releases of an app that are upcoming or active. */
export const MAX_OPEN_RELEASES = 100

/** Most templates of items of an app, of all kinds and steps together. */
export const MAX_TEMPLATES = 1000

/** Most items of a release: copies of templates, its one-offs, and those it kept. */
export const MAX_RELEASE_ITEMS = 1500
