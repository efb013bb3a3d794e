import { locateInGroovy, locateInKotlin, locateInProperties } from './gradle.ts'
import { locateInPlist } from './plist.ts'
import { VersionFileFault, type Locate, type Occurrence } from './occurrence.ts'
import { locateInApp, locateInPackage, locateInPubspec } from './structured.ts'
import { VERSION_FILE_NAMES } from './version_file_names.ts'
import { locateInBuildSettings, locateInProject } from './xcode.ts'

const LOCATES: { [Kind in keyof typeof VERSION_FILE_NAMES]: Locate } = {
  plist: locateInPlist,
  xcodeProject: locateInProject,
  buildSettings: locateInBuildSettings,
  groovy: locateInGroovy,
  kotlin: locateInKotlin,
  properties: locateInProperties,
  pubspec: locateInPubspec,
  package: locateInPackage,
  app: locateInApp,
}

/** The version of a file, and its occurrences. */
export interface VersionFile {
  version: string
  occurrences: Occurrence[]
}

/** Reads the version of a file, whose name determines its kind. @throws VersionFileFault */
export function readVersionFile(path: string, text: string): VersionFile {
  const kinds = Object.keys(LOCATES) as (keyof typeof LOCATES)[]
  const kind = kinds.find((each) => VERSION_FILE_NAMES[each].test(path))
  if (kind === undefined) {
    throw new VersionFileFault('unknown_file', 'is no kind of file that versions are read in')
  }
  const occurrences = LOCATES[kind](text)
  return { version: occurrences[0].version, occurrences }
}

/** Returns a text with another version; nothing else of it changes. */
export function withVersion(text: string, { occurrences }: VersionFile, version: string): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of occurrences) {
    parts.push(text.slice(from, start), version)
    from = end
  }
  return [...parts, text.slice(from)].join('')
}
