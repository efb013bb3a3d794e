/** The version of the program, which a test holds against package.json. */
export const VERSION = '0.1.0'
