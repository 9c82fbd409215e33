/** The MUI theme of the web app: no ripple, no capitals, 32 px controls, lines instead of shadows. Colours come from the roles only. */
import { createTheme, type Theme, type ThemeOptions } from '@mui/material/styles';
import type { ColourRoles } from './colour-roles';
import { FONT, MONO, type Mode } from './tokens';

/** Narrow windows (visual design, section 10): targets of 44 px, and text that a phone does not enlarge while typing. */
const NARROW = '@media (max-width: 899px)';
/** A control that is drawn smaller than its target. */
const LARGER_TARGET = { '&::after': { content: '""', position: 'absolute', inset: -4 } };

const FOCUS = { outline: '2px solid var(--ring)', outlineOffset: 1 };

function typography(): ThemeOptions['typography'] {
  const style = (fontSize: number, lineHeight: number, fontWeight = 400, letterSpacing = '0') => ({
    fontSize: `${fontSize}px`,
    lineHeight: `${lineHeight}px`,
    fontWeight,
    letterSpacing,
  });
  return {
    fontFamily: FONT,
    fontSize: 13,
    fontWeightBold: 600,
    fontWeightMedium: 500,
    h1: style(18, 24, 600, '-0.012em'),
    h2: style(14, 20, 600),
    h3: style(13, 20, 600),
    h4: style(24, 32, 600, '-0.02em'),
    body1: style(13, 20),
    body2: style(12, 16),
    subtitle1: style(13, 20, 500),
    subtitle2: style(12, 16, 500),
    caption: style(12, 16),
    button: { ...style(13, 20, 500), textTransform: 'none' },
  };
}

function palette(mode: Mode, roles: ColourRoles): ThemeOptions['palette'] {
  const status = (name: 'success' | 'warning' | 'error' | 'info') => ({ main: roles[name], contrastText: '#FFFFFF' });
  return {
    mode,
    primary: { main: roles.primary, contrastText: roles.onPrimary },
    secondary: { main: roles.secondary, contrastText: roles.onSecondary },
    success: status('success'),
    warning: status('warning'),
    error: status('error'),
    info: status('info'),
    background: { default: roles.canvas, paper: roles.surface },
    text: { primary: roles.text, secondary: roles.text2, disabled: roles.text3 },
    divider: roles.line,
  };
}

const buttonComponents: ThemeOptions['components'] = {
  MuiButtonBase: { defaultProps: { disableRipple: true }, styleOverrides: { root: { '&.Mui-focusVisible': FOCUS } } },
  MuiButton: {
    defaultProps: { disableElevation: true, disableRipple: true },
    styleOverrides: {
      root: {
        minWidth: 0,
        height: 32,
        padding: '0 12px',
        borderRadius: 6,
        whiteSpace: 'nowrap',
        textTransform: 'none',
        transition: 'background-color 120ms ease-out, border-color 120ms ease-out, color 120ms ease-out',
        '&.Mui-disabled': { color: 'var(--text3)', borderColor: 'var(--line)', backgroundColor: 'var(--sunken)' },
        [NARROW]: { height: 44 },
      },
      sizeSmall: { height: 28, padding: '0 10px', fontSize: 12, [NARROW]: { height: 36, ...LARGER_TARGET } },
      startIcon: { marginLeft: -2, marginRight: 6 },
      endIcon: { marginLeft: 6, marginRight: -4 },
    },
  },
  MuiIconButton: {
    defaultProps: { disableRipple: true },
    styleOverrides: {
      root: {
        width: 32,
        height: 32,
        padding: 0,
        borderRadius: 6,
        color: 'var(--text2)',
        '&:hover': { backgroundColor: 'var(--hover)' },
        [NARROW]: { width: 44, height: 44 },
      },
      sizeSmall: { width: 28, height: 28, [NARROW]: { width: 36, height: 36, ...LARGER_TARGET } },
    },
  },
  MuiToggleButton: { defaultProps: { disableRipple: true } },
};

const inputComponents: ThemeOptions['components'] = {
  MuiOutlinedInput: {
    styleOverrides: {
      root: {
        minHeight: 32,
        borderRadius: 6,
        backgroundColor: 'var(--surface)',
        fontSize: 13,
        [NARROW]: { minHeight: 44, fontSize: 16 },
        '& .MuiOutlinedInput-notchedOutline': { borderColor: 'var(--control)', top: 0, '& legend': { display: 'none' } },
        '&:hover .MuiOutlinedInput-notchedOutline': { borderColor: 'var(--text3)' },
        '&.Mui-focused .MuiOutlinedInput-notchedOutline': { borderColor: 'var(--ring)', borderWidth: 2 },
        '&.Mui-error .MuiOutlinedInput-notchedOutline': { borderColor: 'var(--error-text)', borderWidth: 2 },
        '&.Mui-disabled': { backgroundColor: 'var(--canvas)' },
        '&.Mui-disabled .MuiOutlinedInput-notchedOutline': { borderColor: 'var(--line2)' },
      },
      input: { height: 20, padding: '6px 10px', '&::placeholder': { color: 'var(--text3)', opacity: 1 } },
      multiline: { padding: 0, '& textarea': { padding: '6px 10px', lineHeight: '20px' } },
    },
  },
  MuiSelect: {
    styleOverrides: {
      select: { minHeight: 20, display: 'flex', alignItems: 'center', gap: 8, '&&': { paddingRight: 30 } },
      icon: { color: 'var(--text2)', width: 16, height: 16, top: 'calc(50% - 8px)', right: 8 },
    },
  },
  MuiAutocomplete: {
    styleOverrides: {
      // As high as the other fields; MUI's own padding of an outlined field has this specificity.
      root: {
        '& .MuiOutlinedInput-root': {
          padding: '3px 8px 3px 5px',
          rowGap: 2,
          '& .MuiAutocomplete-input': { padding: '3px 5px', minWidth: 60 },
        },
      },
      paper: {
        marginTop: 4,
        border: '1px solid var(--line2)',
        boxShadow: 'var(--shadow-floating)',
        borderRadius: 8,
        backgroundColor: 'var(--raised)',
      },
      listbox: { padding: 4, maxHeight: 320 },
      option: {
        minHeight: '32px !important',
        borderRadius: 5,
        padding: '4px 8px !important',
        fontSize: 13,
        [NARROW]: { minHeight: '44px !important', fontSize: 15 },
      },
      clearIndicator: { width: 24, height: 24 },
      popupIndicator: { width: 24, height: 24 },
      // Aligned with the arrow of a native select.
      endAdornment: { right: '4px !important' },
    },
  },
  MuiCheckbox: {
    defaultProps: { disableRipple: true },
    // The invisible input is what a finger hits.
    styleOverrides: { root: { padding: 4, [NARROW]: { '& input': { top: -10, left: -10, width: 44, height: 44 } } } },
  },
  MuiRadio: {
    defaultProps: { disableRipple: true, size: 'small' },
    styleOverrides: { root: { padding: 4, color: 'var(--control)', '&.Mui-checked': { color: 'var(--ring)' } } },
  },
  MuiFormControlLabel: { styleOverrides: { root: { marginLeft: -4, marginRight: 12 }, label: { fontSize: 13, lineHeight: '20px' } } },
  MuiSwitch: {
    defaultProps: { disableRipple: true },
    styleOverrides: {
      root: { width: 32, height: 20, padding: 0, overflow: 'visible' },
      switchBase: {
        padding: 2,
        '&.Mui-checked': { transform: 'translateX(12px)', color: 'var(--on-primary)' },
        '&.Mui-checked + .MuiSwitch-track': { backgroundColor: 'var(--ring)', opacity: 1 },
        '&.Mui-disabled + .MuiSwitch-track': { opacity: 0.5 },
        '&.Mui-focusVisible + .MuiSwitch-track': FOCUS,
      },
      thumb: { width: 16, height: 16, boxShadow: 'none', color: 'var(--surface)' },
      track: { borderRadius: 10, backgroundColor: 'var(--control)', opacity: 1 },
    },
  },
  MuiSlider: {
    styleOverrides: {
      root: { color: 'var(--ring)', height: 4, padding: '14px 0' },
      thumb: { width: 16, height: 16 },
      rail: { backgroundColor: 'var(--control)' },
    },
  },
};

const floatingComponents: ThemeOptions['components'] = {
  MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiMenu: {
    styleOverrides: {
      paper: {
        marginTop: 4,
        border: '1px solid var(--line2)',
        borderRadius: 8,
        boxShadow: 'var(--shadow-floating)',
        backgroundColor: 'var(--raised)',
        maxHeight: 600,
      },
      list: { padding: 4 },
    },
  },
  MuiPopover: {
    styleOverrides: {
      paper: { border: '1px solid var(--line2)', borderRadius: 8, boxShadow: 'var(--shadow-floating)', backgroundColor: 'var(--raised)' },
    },
  },
  MuiMenuItem: {
    defaultProps: { disableRipple: true },
    styleOverrides: {
      root: {
        minHeight: '32px !important',
        padding: '4px 8px',
        gap: 8,
        borderRadius: 5,
        fontSize: 13,
        [NARROW]: { minHeight: '44px !important', fontSize: 15 },
        '&:hover, &.Mui-focusVisible': { backgroundColor: 'var(--hover)' },
        '&.Mui-selected, &.Mui-selected:hover, &.Mui-selected.Mui-focusVisible': { backgroundColor: 'var(--primary-subtle)' },
        '&.Mui-focusVisible': { outline: '2px solid var(--ring)', outlineOffset: -2 },
      },
    },
  },
  MuiListSubheader: {
    styleOverrides: { root: { fontSize: 12, lineHeight: '28px', color: 'var(--text3)', backgroundColor: 'transparent', padding: '0 8px' } },
  },
  MuiDivider: { styleOverrides: { root: { borderColor: 'var(--line)' } } },
  MuiTooltip: {
    // C-007: the default open delay is 200 ms.
    defaultProps: { enterDelay: 200, enterNextDelay: 200, arrow: false },
    styleOverrides: {
      tooltip: {
        backgroundColor: 'var(--text)',
        color: 'var(--surface)',
        fontSize: 12,
        lineHeight: '16px',
        fontWeight: 400,
        padding: '4px 8px',
        borderRadius: 5,
        maxWidth: 320,
      },
    },
  },
  MuiBackdrop: { styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: 'var(--scrim)' } } } },
  MuiDialog: {
    styleOverrides: {
      paper: {
        margin: 16,
        border: '1px solid var(--line)',
        borderRadius: 10,
        boxShadow: 'var(--shadow-dialog)',
        backgroundColor: 'var(--raised)',
        backgroundImage: 'none',
      },
    },
  },
  MuiTabs: {
    styleOverrides: {
      root: { minHeight: 40, [NARROW]: { minHeight: 44 } },
      // Tabs in several lines have no common line below them: each draws its own.
      list: { [NARROW]: { flexWrap: 'wrap' } },
      indicator: { height: 2, backgroundColor: 'var(--ring)', [NARROW]: { display: 'none' } },
    },
  },
  MuiTab: {
    defaultProps: { disableRipple: true },
    styleOverrides: {
      root: {
        minHeight: 40,
        [NARROW]: { minHeight: 44 },
        minWidth: 0,
        padding: '0 12px',
        textTransform: 'none',
        color: 'var(--text2)',
        '&.Mui-selected': { color: 'var(--primary-text)', [NARROW]: { boxShadow: 'inset 0 -2px var(--ring)' } },
        '&.Mui-focusVisible': { outlineOffset: -2 },
      },
    },
  },
};

/** The MUI theme of one mode. */
export function muiTheme(mode: Mode, roles: ColourRoles): Theme {
  return createTheme({
    palette: palette(mode, roles),
    typography: typography(),
    shape: { borderRadius: 6 },
    spacing: 4,
    transitions: {
      duration: { shortest: 80, shorter: 100, short: 120, standard: 160, complex: 200, enteringScreen: 200, leavingScreen: 120 },
    },
    components: {
      ...buttonComponents,
      ...inputComponents,
      ...floatingComponents,
      MuiCssBaseline: { styleOverrides: { code: { fontFamily: MONO }, kbd: { fontFamily: MONO } } },
    },
  });
}
