/** Kinds of differences between two builds, in the order of reports. */
export const CHANGE_KINDS = [
  'bundleIdChanged',
  'signerChanged',
  'permissionAdded',
  'permissionRemoved',
  'entitlementAdded',
  'entitlementRemoved',
  'entitlementChanged',
  'exportedComponentAdded',
  'exportedComponentRemoved',
  'exportedComponentChanged',
  'frameworkAdded',
  'frameworkRemoved',
  'frameworkUpdated',
  'minimumOsRaised',
  'minimumOsLowered',
  'targetChanged',
  'architectureAdded',
  'architectureRemoved',
  'sizeGrown',
  'sizeShrunk',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** The aspects that two builds are compared in, each of them read or not. */
export const ASPECTS = [
  'signer',
  'permissions',
  'entitlements',
  'exportedComponents',
  'frameworks',
  'architectures',
  'sizes',
] as const
export type Aspect = (typeof ASPECTS)[number]

/** The aspects within a sentence. */
export const ASPECT_WORDS: Readonly<Record<Aspect, string>> = {
  signer: 'the signer',
  permissions: 'permissions',
  entitlements: 'entitlements',
  exportedComponents: 'what other apps can start',
  frameworks: 'frameworks and libraries',
  architectures: 'architectures',
  sizes: 'sizes',
}

/** Sizes that are compared beside those of parts and architectures. */
export const WHOLE = 'whole'

/** An approval is asked for where the whole grows or shrinks by so many percent. */
export const GROWTH_PERCENT = 5
