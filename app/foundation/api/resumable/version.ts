/** The supported version of tus. */
export const VERSION = '1.0.0'
