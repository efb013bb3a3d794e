/** The version of tus that is spoken. */
export const VERSION = '1.0.0'
