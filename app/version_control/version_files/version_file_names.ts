/** The kinds of file that hold a version, by their names. */
export const VERSION_FILE_NAMES = {
  plist: /\.plist$/i,
  xcodeProject: /\.pbxproj$/i,
  buildSettings: /\.xcconfig$/i,
  groovy: /\.gradle$/i,
  kotlin: /\.gradle\.kts$/i,
  properties: /\.properties$/i,
  pubspec: /(^|\/)pubspec\.ya?ml$/i,
  package: /(^|\/)package\.json$/i,
  app: /(^|\/)app\.json$/i,
} as const

/** The names of these files, for people. */
export const VERSION_FILE_KINDS =
  '*.plist, *.pbxproj, *.xcconfig, *.gradle, *.gradle.kts, *.properties, pubspec.yaml, package.json and app.json'

/** Returns whether the name of a file is that of a supported version file. */
export const isVersionFile = (path: string) =>
  Object.values(VERSION_FILE_NAMES).some((name) => name.test(path))
