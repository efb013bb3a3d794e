import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { defineConfig, type DefaultTheme } from 'vitepress'
import { leftOut, linksOf, placeOf, ROOT, sitePages } from './pages.js'
import { slugify } from './slugify.js'

/*
 * The pages of docs as a site, which the service serves at /guide: `npm run docs:build`.
 */

/** Files that the service itself serves, and where. */
const SERVED: Readonly<Record<string, string>> = { 'docs/openapi.json': '/openapi.json' }

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The title of a page. */
const titleOf = (page: string) => /^# (.*)$/m.exec(read(page))![1].replaceAll('`', '')

const icon = read('app/pages/assets/mark.svg')

const item = (page: string): DefaultTheme.SidebarItem => ({
  text: titleOf(page),
  link: `/${placeOf(page).replace(/(index)?\.md$/, '')}`,
})

/** The pages that a page with a table of its part links to, in their order. */
function part(text: string, folder: string, ...others: string[]): DefaultTheme.SidebarItem {
  const pages = new Set(linksOf(`docs/${folder}/README.md`).map(({ file }) => file))
  const isOfPart = (page: string) => page.startsWith(`docs/${folder}/`) && page.endsWith('.md')
  return {
    ...{ text, collapsed: folder !== 'how-to', link: `/${folder}/` },
    items: [...[...pages].filter(isOfPart), ...others].map(item),
  }
}

export default defineConfig({
  title: 'Tarmac',
  description: 'Release management for mobile app teams',
  base: '/guide/',
  lang: 'en',
  srcDir: '..',
  srcExclude: leftOut(),
  outDir: './.vitepress/dist',
  cacheDir: '../tmp/vitepress',
  cleanUrls: true,
  // The table of hashed names is a file of its own: no page changes with another one.
  metaChunk: true,
  rewrites: placeOf,

  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  markdown: {
    // Pages are Markdown alone: what looks like an element is text, and marks are not shown.
    html: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    config(md) {
      md.core.ruler.before('normalize', 'marks', (state) => {
        state.src = state.src.replace(/<!--[^]*?-->/g, '')
      })
      // Links are those of the repository: they lead to the place that a page has in the site.
      // What is no page is named, and not linked, unless the service serves it.
      type Rule = NonNullable<typeof md.renderer.rules.link_open>
      const asIs: Rule = (tokens, index, options, _env, self) =>
        self.renderToken(tokens, index, options)
      const { link_open: open = asIs, link_close: close = asIs } = md.renderer.rules
      const isNamed: boolean[] = []
      md.renderer.rules.link_open = (tokens, index, options, env, self) => {
        const [target, heading] = (tokens[index].attrGet('href') ?? '').split('#')
        const isOwn = target !== '' && !/^([a-z]+:|\/)/.test(target)
        const file = relative(ROOT, join(dirname(env.realPath ?? env.path), target))
        isNamed.push(isOwn && !sitePages.has(file) && !(file in SERVED))
        if (isNamed.at(-1)) return '<span>'
        if (!isOwn) return open(tokens, index, options, env, self)
        const place = SERVED[file] ?? `/${placeOf(file)}${heading ? `#${heading}` : ''}`
        tokens[index].attrSet('href', place)
        return (file in SERVED ? asIs : open)(tokens, index, options, env, self)
      }
      md.renderer.rules.link_close = (tokens, index, options, env, self) => {
        return isNamed.pop() ? '</span>' : close(tokens, index, options, env, self)
      }
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/tutorial/first-rehearsal' },
      { text: 'How to', link: '/how-to/' },
      { text: 'Explanation', link: '/explanation/' },
      { text: 'Reference', link: '/reference/' },
    ],
    sidebar: [
      {
        text: 'Tutorial',
        items: ['first-rehearsal', 'first-release', 'first-ci-job'].map((name) =>
          item(`docs/tutorial/${name}.md`)
        ),
      },
      part('How to', 'how-to'),
      part('Explanation', 'explanation'),
      part('Reference', 'reference', 'CHANGELOG.md'),
      {
        ...{ text: 'Packages and CI steps', collapsed: true },
        items: [
          'packages/cli/README.md',
          'ci/README.md',
          'packages/client/README.md',
          'packages/plugin-kit/README.md',
        ].map(item),
      },
      {
        ...{ text: 'Inside', collapsed: true },
        items: [
          'CONTRIBUTING.md',
          'docs/architecture.md',
          'docs/benchmarks.md',
          'docs/decisions/README.md',
        ].map(item),
      },
    ],
  },
})
