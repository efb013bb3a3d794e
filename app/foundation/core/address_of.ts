/** Fills in the parameters of a path such as `/app/{appId}`. */
export const addressOf = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]))
