import { ContentsList } from '../components.ts'
import { LIMITS } from '../limits.ts'
import type { ArchiveContents } from '../metadata.ts'
import type { Archive } from '../read_zip.ts'
import { Unreadable } from '../unreadable.ts'
import type { AndroidResources, AndroidValue } from './elements.ts'
import type { AndroidLayout } from './layouts.ts'
import type { DeclaredComponent, Manifest } from './read_manifest.ts'
import { messageOf, messagesOf, textOf } from './read_protobuf.ts'
import { resolveText } from './resolve.ts'

/** Matches `META-INF/androidx.core_core.version`, with the version of androidx.core:core. */
const VERSION_FILE = /^META-INF\/([^/_]+)_([^/]+)\.version$/
const MAVEN_FILE = /^META-INF\/maven\/([^/]+)\/([^/]+)\/pom\.properties$/
/** Matches files at the root such as `play-services-base.properties`. */
const GOOGLE_FILE = /^((?:play-services|firebase)-[^/]+)\.properties$/
const PROPERTY = /^version=(.{1,64}?)\s*$/m

/** The list of a bundle's libraries (`AppDependencies` of Android's build tools), and its fields. */
const DEPENDENCIES = 'BUNDLE-METADATA/com.android.tools.build.libraries/dependencies.pb'
const LIBRARY = { list: 1, maven: 1 }
const MAVEN = { group: 1, artifact: 2, version: 5 }

/** Reads the components and sizes of an Android app. @throws RangeError */
export async function readAndroidContents(
  archive: Archive,
  layout: AndroidLayout,
  manifest: Manifest,
  resources: AndroidResources
): Promise<ArchiveContents> {
  const list = new ContentsList()
  for (const name of archive.names()) {
    const library = layout.library.exec(name)
    if (library) list.add('native', name.slice(name.lastIndexOf('/') + 1))
    else if (name.startsWith(layout.metaRoot)) {
      await addLibrary(list, archive, name, name.slice(layout.metaRoot.length))
    }
  }
  await addDependencies(list, archive)
  for (const component of manifest.components) {
    const text = (value: AndroidValue | null) => resolveText(resources, value)
    const target = text(manifest.targetSdk) ?? text(manifest.minimumSdk)
    if (!isExported(component, target, text(component.exported))) continue
    const name = text(component.name)
    if (name === null) continue
    list.export(component.type, qualified(name, manifest.package), guardOf(component, text))
  }
  list.omitExported(manifest.omitted)
  return list.contents(archive, partOf, (name) => layout.library.exec(name)?.[1] ?? null)
}

async function addLibrary(list: ContentsList, archive: Archive, name: string, inside: string) {
  const [, group, artifact] = VERSION_FILE.exec(inside) ?? []
  if (group) {
    const bytes = await list.read(archive, name)
    list.add('library', `${group}:${artifact}`, bytes?.subarray(0, 256).toString('utf8'))
    return
  }
  const [, mavenGroup, mavenArtifact] = MAVEN_FILE.exec(inside) ?? []
  const [, google] = GOOGLE_FILE.exec(inside) ?? []
  if (!mavenGroup && !google) return
  const bytes = await list.read(archive, name)
  const version = PROPERTY.exec(bytes?.subarray(0, 4096).toString('utf8') ?? '')?.[1]
  list.add('library', google ?? `${mavenGroup}:${mavenArtifact}`, version)
}

/** A damaged list of libraries does not affect the rest. */
async function addDependencies(list: ContentsList, archive: Archive): Promise<void> {
  if (!archive.has(DEPENDENCIES)) return
  try {
    const bytes = await archive.read(DEPENDENCIES, LIMITS.dependenciesBytes, 'The libraries')
    for (const library of messagesOf(bytes, LIBRARY.list)) {
      const maven = messageOf(library, LIBRARY.maven)
      if (maven === null) continue
      const name = `${textOf(maven, MAVEN.group)}:${textOf(maven, MAVEN.artifact)}`
      if (name.length > 1) list.add('library', name, textOf(maven, MAVEN.version))
    }
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof RangeError)) throw error
  }
}

/** Providers without a setting are not exported from this API level on. */
const CLOSED_PROVIDERS = 17

/** Returns whether other apps can start a component, by Android's rules. */
function isExported(
  { type, hasFilter }: DeclaredComponent,
  targetSdk: string | null,
  exported: string | null
): boolean {
  if (exported !== null) return /^true$/i.test(exported) || Math.abs(Number(exported)) > 0
  if (type !== 'provider') return hasFilter
  return Number(targetSdk ?? 1) < CLOSED_PROVIDERS
}

/** Returns the permission that other apps need; a provider may have two. */
function guardOf(
  { type, permission, readPermission, writePermission }: DeclaredComponent,
  text: (value: AndroidValue | null) => string | null
): string | null {
  const own = text(permission)
  if (type !== 'provider') return own
  const [read, write] = [text(readPermission) ?? own, text(writePermission) ?? own]
  return read === write ? read : `${read ?? 'none'} to read, ${write ?? 'none'} to write`
}

/** Returns the full name of a class, which may be relative to the package. */
function qualified(name: string, packageName: string): string {
  if (name.startsWith('.')) return `${packageName}${name}`
  return name.includes('.') ? name : `${packageName}.${name}`
}

const CODE = /^(?:[^/]+\/dex\/)?[^/]+\.dex$/
const LIBRARIES = /^(?:[^/]+\/)?lib\/[^/]+\//
const RESOURCES = /^(?:(?:[^/]+\/)?res\/|resources\.arsc$|[^/]+\/resources\.pb$)/
const ASSETS = /^(?:[^/]+\/)?assets\//

function partOf(name: string): keyof ArchiveContents['sizes'] | null {
  if (name.startsWith('BUNDLE-METADATA/')) return null
  if (CODE.test(name)) return 'code'
  if (LIBRARIES.test(name)) return 'libraries'
  if (RESOURCES.test(name)) return 'resources'
  return ASSETS.test(name) ? 'assets' : 'other'
}
