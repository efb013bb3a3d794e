import { locateInGroovy, locateInKotlin, locateInProperties } from './gradle.ts'
import { locateInPlist } from './plist.ts'
import { VersionFileFault, type Locate, type Spot } from './spot.ts'
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

/** A file with its version, and where it stands. */
export interface VersionFile {
  version: string
  spots: Spot[]
}

/** Reads the version of a file, which its name tells the kind of. @throws VersionFileFault */
export function readVersionFile(path: string, text: string): VersionFile {
  const kinds = Object.keys(LOCATES) as (keyof typeof LOCATES)[]
  const kind = kinds.find((each) => VERSION_FILE_NAMES[each].test(path))
  if (kind === undefined) {
    throw new VersionFileFault('unknown_file', 'is no kind of file that versions are read in')
  }
  const spots = LOCATES[kind](text)
  return { version: spots[0].version, spots }
}

/** A text with another version; nothing else of it changes. */
export function withVersion(text: string, { spots }: VersionFile, version: string): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of spots) {
    parts.push(text.slice(from, start), version)
    from = end
  }
  return [...parts, text.slice(from)].join('')
}
