import { LIMITS } from '../limits.ts'
import type { ArchiveMetadata } from '../metadata.ts'
import { plainText } from '../plain_text.ts'
import { Unreadable } from '../unreadable.ts'
import {
  ATTRIBUTE,
  type AndroidElement,
  type AndroidResources,
  type AndroidValue,
} from './elements.ts'
import { resolveText } from './resolve.ts'

/** The content of a manifest; its values may be references to resources. */
export interface Manifest {
  package: string
  platform: ArchiveMetadata['platform']
  label: AndroidValue | null
  icons: AndroidValue[]
  versionName: AndroidValue | null
  versionCode: AndroidValue | null
  versionCodeMajor: AndroidValue | null
  minimumSdk: AndroidValue | null
  targetSdk: AndroidValue | null
  permissions: string[]
  /** The permission that other apps need for components without their own. */
  permission: AndroidValue | null
  components: DeclaredComponent[]
  /** The number of components beyond the limit. */
  omitted: number
}

/** A part of an app that the system, and perhaps other apps, can start. */
export interface DeclaredComponent {
  type: 'activity' | 'service' | 'receiver' | 'provider'
  name: AndroidValue | null
  exported: AndroidValue | null
  permission: AndroidValue | null
  /** The permissions of a provider for reading and writing, which take precedence. */
  readPermission: AndroidValue | null
  writePermission: AndroidValue | null
  /** True if it has an intent filter. */
  hasFilter: boolean
}

const COMPONENTS: Readonly<Record<string, DeclaredComponent['type']>> = {
  'activity': 'activity',
  'activity-alias': 'activity',
  'service': 'service',
  'receiver': 'receiver',
  'provider': 'provider',
}
/** The maximum number of components that are read; most are not exported. */
const MAX_COMPONENTS = 5000

const PERMISSIONS = new Set(['uses-permission', 'uses-permission-sdk-23', 'uses-permission-sdk-m'])
/** Features that distinguish kinds of devices from phones. */
const KINDS = {
  'android.hardware.type.watch': 'wearos',
  'android.software.leanback': 'androidtv',
} as const

/**
 * Reads a manifest from its elements, independent of its format.
 * @throws Unreadable if it is no manifest of an app
 */
export function readManifest(elements: Iterable<AndroidElement>): Manifest {
  const permissions = new Set<string>()
  let manifest: Manifest | null = null
  let isInApplication = false
  let component: DeclaredComponent | null = null
  for (const element of elements) {
    if (element.depth === 1) {
      if (manifest !== null || element.name !== 'manifest') break
      manifest = startOf(element)
    } else if (manifest !== null && element.depth === 2) {
      isInApplication = element.name === 'application'
      takeChild(manifest, element, permissions)
    } else if (manifest !== null && isInApplication && element.depth === 3) {
      component = takeComponent(manifest, element)
    } else if (component !== null && element.depth === 4 && element.name === 'intent-filter') {
      component.hasFilter = true
    }
  }
  if (manifest === null) throw new Unreadable('AndroidManifest.xml is no manifest.')
  return { ...manifest, permissions: [...permissions].sort() }
}

function startOf(element: AndroidElement): Manifest {
  const name = element.attribute(null, 'package')
  const packageName = name?.kind === 'text' ? plainText(name.text, 255) : null
  if (packageName === null) throw new Unreadable('AndroidManifest.xml names no package.')
  if (element.attribute(null, 'split') !== null) {
    throw new Unreadable('It is a part of an app (a split APK), which nobody can install alone.')
  }
  return {
    package: packageName,
    platform: 'android',
    label: null,
    icons: [],
    versionName: element.attribute(ATTRIBUTE.versionName, 'versionName'),
    versionCode: element.attribute(ATTRIBUTE.versionCode, 'versionCode'),
    versionCodeMajor: element.attribute(ATTRIBUTE.versionCodeMajor, 'versionCodeMajor'),
    minimumSdk: null,
    targetSdk: null,
    permissions: [],
    permission: null,
    components: [],
    omitted: 0,
  }
}

function takeComponent(manifest: Manifest, element: AndroidElement): DeclaredComponent | null {
  if (!Object.hasOwn(COMPONENTS, element.name)) return null
  if (manifest.components.length >= MAX_COMPONENTS) {
    manifest.omitted += 1
    return null
  }
  const component: DeclaredComponent = {
    type: COMPONENTS[element.name],
    name: element.attribute(ATTRIBUTE.name, 'name'),
    exported: element.attribute(ATTRIBUTE.exported, 'exported'),
    permission: element.attribute(ATTRIBUTE.permission, 'permission') ?? manifest.permission,
    readPermission: element.attribute(ATTRIBUTE.readPermission, 'readPermission'),
    writePermission: element.attribute(ATTRIBUTE.writePermission, 'writePermission'),
    hasFilter: false,
  }
  manifest.components.push(component)
  return component
}

function takeChild(manifest: Manifest, element: AndroidElement, permissions: Set<string>): void {
  const { name } = element
  if (name === 'application') {
    manifest.permission ??= element.attribute(ATTRIBUTE.permission, 'permission')
    manifest.label ??= element.attribute(ATTRIBUTE.label, 'label')
    for (const [id, called] of [
      [ATTRIBUTE.icon, 'icon'],
      [ATTRIBUTE.roundIcon, 'roundIcon'],
    ] as const) {
      const icon = element.attribute(id, called)
      if (icon !== null) manifest.icons.push(icon)
    }
  } else if (name === 'uses-sdk') {
    manifest.minimumSdk ??= element.attribute(ATTRIBUTE.minSdkVersion, 'minSdkVersion')
    manifest.targetSdk ??= element.attribute(ATTRIBUTE.targetSdkVersion, 'targetSdkVersion')
  } else if (name === 'uses-feature') {
    manifest.platform = kindOf(element) ?? manifest.platform
  } else if (PERMISSIONS.has(name) && permissions.size < LIMITS.permissions) {
    const permission = plainText(nameOf(element), 128, { whole: false })
    if (permission !== null) permissions.add(permission)
  }
}

/** Returns the kind of device that a required feature indicates; null for none. */
function kindOf(element: AndroidElement): ArchiveMetadata['platform'] | null {
  const name = nameOf(element)
  if (name === null || !Object.hasOwn(KINDS, name)) return null
  const required = element.attribute(ATTRIBUTE.required, 'required')
  const isOptional =
    (required?.kind === 'flag' && !required.value) ||
    (required?.kind === 'text' && required.text === 'false')
  return isOptional ? null : KINDS[name as keyof typeof KINDS]
}

function nameOf(element: AndroidElement): string | null {
  const value = element.attribute(ATTRIBUTE.name, 'name')
  return value?.kind === 'text' ? value.text : null
}

/** Returns the metadata of a manifest's app, with references resolved. @throws RangeError */
export function describe(manifest: Manifest, resources: AndroidResources) {
  const text = (value: AndroidValue | null, max = 64) =>
    plainText(resolveText(resources, value), max)
  return {
    platform: manifest.platform,
    bundleId: manifest.package,
    name: plainText(resolveText(resources, manifest.label), 255, { whole: false }),
    version: text(manifest.versionName),
    buildNumber: buildNumber(text(manifest.versionCode), text(manifest.versionCodeMajor)),
    minimumOsVersion: text(manifest.minimumSdk),
    targetOsVersion: text(manifest.targetSdk),
    permissions: manifest.permissions,
  }
}

/** In Android the major version code is the upper 32 bits, the version code the lower. */
function buildNumber(code: string | null, major: string | null): string | null {
  if (code === null || major === null || major === '0') return code
  if (!/^\d{1,10}$/.test(code) || !/^\d{1,10}$/.test(major)) return code
  return String((BigInt(major) << 32n) + BigInt(code))
}
