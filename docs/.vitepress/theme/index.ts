// The fonts of the system: those of the theme are a tenth of the site.
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
