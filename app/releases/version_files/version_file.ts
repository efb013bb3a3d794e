import { locateInGroovy, locateInKotlin, locateInProperties } from './gradle.ts'
import { locateInPlist } from './plist.ts'
import { VersionFileFault, type Locate, type Spot } from './spot.ts'
import { locateInApp, locateInPackage, locateInPubspec } from './structured.ts'
import { locateInBuildSettings, locateInProject } from './xcode.ts'

/** The kinds of file that hold a version, by their names. */
const KINDS: readonly (readonly [RegExp, Locate])[] = [
  [/\.plist$/i, locateInPlist],
  [/\.pbxproj$/i, locateInProject],
  [/\.xcconfig$/i, locateInBuildSettings],
  [/\.gradle$/i, locateInGroovy],
  [/\.gradle\.kts$/i, locateInKotlin],
  [/\.properties$/i, locateInProperties],
  [/(^|\/)pubspec\.ya?ml$/i, locateInPubspec],
  [/(^|\/)package\.json$/i, locateInPackage],
  [/(^|\/)app\.json$/i, locateInApp],
]

/** A file with its version, and where it stands. */
export interface VersionFile {
  version: string
  spots: Spot[]
}

/** Reads the version of a file, which its name tells the kind of. @throws VersionFileFault */
export function readVersionFile(path: string, text: string): VersionFile {
  const locate = KINDS.find(([name]) => name.test(path))?.[1]
  if (!locate) {
    throw new VersionFileFault('unknown_file', 'is no kind of file that versions are read in')
  }
  const spots = locate(text)
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
